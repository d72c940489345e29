// Pictures can be dropped and pasted, sent several at once, and put in order by dragging. Without scripts a field and buttons do.

for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const take = (files) => {
    const pictures = [...files].filter((file) => file.type.startsWith("image/"));
    if (!pictures.length) return false;
    const all = new DataTransfer();
    for (const file of input.multiple ? [...input.files, ...pictures] : pictures.slice(0, 1)) all.items.add(file);
    input.files = all.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  };
  form.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  form.addEventListener("dragleave", (event) => form.contains(event.relatedTarget) || form.classList.remove("dropping"));
  form.addEventListener("drop", (event) => {
    form.classList.remove("dropping");
    if (take(event.dataTransfer.files)) event.preventDefault();
  });
  if (document.querySelector("form[data-drop]") === form) {
    addEventListener("paste", (event) => take(event.clipboardData.files) && event.preventDefault());
  }

  // One request for each: all of them together may be more than one request may carry.
  form.addEventListener("submit", async (event) => {
    if (input.files.length < 2) return;
    event.preventDefault();
    form.querySelector(".primary, button").setAttribute("aria-disabled", "true");
    const wrong = [];
    for (const file of input.files) {
      const body = new FormData();
      body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
      body.append(input.name, file);
      const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "1" } }).catch(() => null);
      if (!answer?.ok) wrong.push(`${file.name}: ${(answer && (await answer.text()).slice(0, 200)) || "it did not arrive."}`);
    }
    if (!wrong.length) return location.assign(form.action);
    const told = document.createElement("div");
    told.className = "errors section-note";
    told.setAttribute("role", "alert");
    told.tabIndex = -1;
    told.append(...wrong.map((words) => Object.assign(document.createElement("p"), { textContent: words })));
    form.querySelector("[role=alert]")?.remove();
    form.prepend(told);
    told.focus();
    form.querySelector(".primary, button").removeAttribute("aria-disabled");
    input.value = "";
  });
}

// A picture dragged onto another takes its place.
let dragged = null;
for (const item of document.querySelectorAll(".pictures > li")) {
  const picture = item.querySelector("a, picture, img");
  picture?.setAttribute("draggable", "true");
  picture?.addEventListener("dragstart", () => item.classList.add("dragged") || (dragged = item));
  picture?.addEventListener("dragend", () => item.classList.remove("dragged") || (dragged = null));
  item.addEventListener("dragover", (event) => {
    if (!dragged || dragged === item) return;
    event.preventDefault();
    item.classList.add("over");
  });
  item.addEventListener("dragleave", () => item.classList.remove("over"));
  item.addEventListener("drop", (event) => {
    if (!dragged) return;
    event.preventDefault();
    const form = dragged.querySelector("form[data-move]");
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "to", value: item.dataset.number }));
    form.submit();
  });
}
