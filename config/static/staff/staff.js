// What the back office gains with scripts: keys that click what is on the page anyway. Everything works without.

const typing = (element) => element.closest("input, textarea, select, [contenteditable]");
const finder = document.getElementById("finder");
const keys = document.getElementById("keys");
const single = document.getElementById("single-keys");
let pressed = "";

// Who speaks to the computer, or presses by accident, switches single keys off here for good; Ctrl K stays.
if (single) {
  single.checked = localStorage.getItem("single-keys") !== "off";
  single.addEventListener("change", () => localStorage.setItem("single-keys", single.checked ? "on" : "off"));
}

// A control says which keys click it: data-key="a", or "g e" for two in a row.
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && finder) {
    event.preventDefault();
    finder.showModal();
    return finder.querySelector("input").select();
  }
  if (single && !single.checked) return;
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "?" && keys) return showKeys();
  const both = `${pressed} ${event.key.toLowerCase()}`;
  pressed = event.key.toLowerCase();
  const controls = [...document.querySelectorAll("[data-key]")];
  const wanted = controls.find((one) => one.dataset.key === both) ?? controls.find((one) => one.dataset.key === pressed);
  if (!wanted) return;
  event.preventDefault();
  pressed = "";
  if (wanted.matches("input")) wanted.focus();
  else wanted.click();
});

// All keys of this page, by what they click.
function showKeys() {
  const list = keys.querySelector("dl");
  list.replaceChildren();
  for (const one of document.querySelectorAll("[data-key]")) {
    const [row, key, name] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    key.append(Object.assign(document.createElement("kbd"), { textContent: one.dataset.key.toUpperCase() }));
    name.textContent = one.placeholder || one.ariaLabel || one.firstElementChild?.nextSibling?.textContent.trim() || one.textContent.trim();
    row.append(key, name);
    list.append(row);
  }
  keys.showModal();
}
document.querySelector("[data-shows=keys]")?.addEventListener("click", showKeys);

// What a person opened or closed stays so on the next page.
for (const box of document.querySelectorAll("details[data-remembered]")) {
  const name = `${box.dataset.remembered} ${location.pathname}`;
  if (localStorage.getItem(name)) box.open = localStorage.getItem(name) === "open";
  box.addEventListener("toggle", () => localStorage.setItem(name, box.open ? "open" : "closed"));
}

// Find anything: what fits is asked while typing, Enter opens the first, arrows walk.
if (finder) {
  const form = finder.querySelector("form");
  const input = finder.querySelector("input");
  const answer = finder.querySelector("output");
  let waiting, asked = 0;
  const ask = async () => {
    const turn = ++asked;
    const url = `${form.action}?q=${encodeURIComponent(input.value)}`;
    const part = await fetch(url, { headers: { "X-Part": "1" } }).catch(() => null);
    if (!part?.ok || turn !== asked) return;
    answer.replaceChildren(document.createRange().createContextualFragment(await part.text()));
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 120);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    await ask();
    const first = answer.querySelector("a");
    if (first) location.assign(first.href);
  });
  finder.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...answer.querySelectorAll("a")];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  document.querySelector(".cmd").addEventListener("click", (event) => {
    event.preventDefault();
    finder.showModal();
    input.select();
  });
}

// Django's choices that are looked up come without a name, and so do their search fields: they get that of their label.
new MutationObserver(() => {
  for (const box of document.querySelectorAll(".select2-container [role=combobox], .select2-container [role=textbox], .select2-search__field")) {
    const choice = box.closest(".select2-container").previousElementSibling;
    const name = choice?.labels?.[0]?.textContent.trim().replace(/:$/, "") ?? "";
    if (box.matches("input")) box.setAttribute("aria-label", name ? `Search: ${name}` : "Search");
    else if (name) {
      box.removeAttribute("aria-labelledby");
      box.setAttribute("aria-label", `${name}: ${box.textContent.trim() || "nothing chosen"}`);
    }
  }
  // the cross of several choices stands in their list and is no entry; no keyboard gets there, which takes out one by one
  for (const cross of document.querySelectorAll("ul > .select2-selection__clear")) cross.ariaHidden = "true";
}).observe(document.body, { childList: true, subtree: true });

// A moment is typed in two fields of Django's, of which only both together have a label.
for (const field of document.querySelectorAll(".vDateField:not([aria-label]), .vTimeField:not([aria-label])")) {
  if (!field.labels.length) field.setAttribute("aria-label", field.matches(".vDateField") ? "Date" : "Time");
}
