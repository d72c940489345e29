// What the back office gains with scripts: keys that click what is on the page anyway. Everything works without.

const typing = (element) => element.closest("input, textarea, select, [contenteditable]");
let pressed = "";

// A control says which keys click it: data-key="a", or "g e" for two in a row.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
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
