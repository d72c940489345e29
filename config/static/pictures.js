// Pictures can be dropped and pasted, sent several at once, described as one goes and put in order by dragging.
// Without scripts a field and buttons do.

const part = { headers: { "X-Part": "1" } };
const gallery = document.getElementById("gallery");

const take = (place, files) => {
  const input = place.querySelector("input[type=file]");
  const pictures = [...files].filter((file) => file.type.startsWith("image/"));
  if (!pictures.length) return false;
  const all = new DataTransfer();
  for (const file of input.multiple ? [...input.files, ...pictures] : pictures.slice(0, 1)) all.items.add(file);
  input.files = all.files;
  return true;
};

for (const place of document.querySelectorAll("[data-drop]")) {
  place.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    place.classList.add("dropping");
  });
  place.addEventListener("dragleave", (event) => place.contains(event.relatedTarget) || place.classList.remove("dropping"));
  place.addEventListener("drop", (event) => {
    place.classList.remove("dropping");
    if (take(place, event.dataTransfer.files)) event.preventDefault();
  });
}
addEventListener("paste", (event) => {
  const places = [...document.querySelectorAll("[data-drop]")];
  const place = places.find((one) => one.matches(":focus-within, :hover")) ?? places.at(-1);
  if (place && take(place, event.clipboardData.files)) event.preventDefault();
});

// What the server answers takes its place; whoever was somewhere in it stays there.
const show = async (answer) => {
  if (!answer?.ok || answer.redirected) return false;
  const focused = gallery.contains(document.activeElement) && document.activeElement.id;
  const fresh = document.createRange().createContextualFragment(await answer.text());
  for (const piece of [...fresh.children]) document.getElementById(piece.id)?.replaceChildren(...piece.childNodes);
  if (focused) (document.getElementById(focused) ?? gallery.querySelector("button"))?.focus();
  return true;
};
const post = (address, body) => fetch(address, { method: "POST", body, ...part }).catch(() => null);
const act = async (form, address, extra) => {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  if (!(await show(await post(address, body)))) location.reload();
};

// One request for each file: all of them together may be more than one request may carry.
const add = async (form, place) => {
  const { files, name } = place.querySelector("input[type=file]");
  const wrong = [];
  for (const file of files) {
    const body = new FormData(form);
    body.set(name, file);
    if (files.length > 1) body.delete("alt");
    const answer = await post(form.action, body);
    if (await show(answer)) continue;
    const why = answer?.status === 400 ? await answer.text() : "it did not arrive.";
    wrong.push(`${file.name}: ${why.slice(0, 200)}`);
  }
  form.reset();
  place.querySelector("[role=alert]")?.remove();
  if (!wrong.length) return;
  const words = document.createElement("div");
  words.className = "errors section-note";
  words.setAttribute("role", "alert");
  words.tabIndex = -1;
  words.append(...wrong.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  place.prepend(words);
  words.focus();
};

if (gallery) {
  const [words, deeds, adding] = ["words", "act", "add"].map((name) => document.getElementById(`gallery-${name}`));
  words.addEventListener("submit", (event) => {
    event.preventDefault();
    act(words, words.action, {});
  });
  gallery.addEventListener("change", () => words.requestSubmit());
  deeds.addEventListener("submit", (event) => {
    event.preventDefault();
    const { formAction, name, value } = event.submitter;
    act(deeds, formAction, name ? { [name]: value } : {});
  });
  adding.addEventListener("submit", async (event) => {
    const place = document.querySelector(".add-pictures");
    if (!place.querySelector("input[type=file]").files.length) return;
    event.preventDefault();
    event.submitter?.setAttribute("aria-disabled", "true");
    await add(adding, place);
    event.submitter?.removeAttribute("aria-disabled");
  });

  // While some are being prepared it looks again, unless somebody is describing one.
  const again = async () => {
    if (gallery.querySelector("[data-preparing]") && !document.activeElement.matches("#gallery input"))
      await show(await fetch(gallery.dataset.part, part).catch(() => null));
    setTimeout(again, 2000);
  };
  setTimeout(again, 2000);

  // A picture dragged onto another takes its place.
  let dragged = null;
  const item = (event) => event.target.closest(".pictures > li");
  const leave = () => gallery.querySelectorAll(".over, .dragged").forEach((one) => one.classList.remove("over", "dragged"));
  gallery.addEventListener("dragstart", (event) => {
    dragged = item(event);
    dragged?.classList.add("dragged");
  });
  gallery.addEventListener("dragend", () => leave() || (dragged = null));
  gallery.addEventListener("dragover", (event) => {
    const over = item(event);
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    gallery.querySelector(".over")?.classList.remove("over");
    over.classList.add("over");
  });
  gallery.addEventListener("drop", (event) => {
    const over = item(event);
    if (!dragged || !over) return;
    event.preventDefault();
    act(deeds, dragged.dataset.move, { to: [...over.parentNode.children].indexOf(over) + 1 });
  });
}
