// Pictures are sent as soon as they are chosen, dropped or pasted, described as one goes and put in order by dragging.
// Without scripts a field and buttons do.
import { ask } from "./site.js";

const gallery = document.getElementById("gallery");

const take = (place, files) => {
  const input = place.querySelector("input[type=file]");
  const pictures = [...files].filter((file) => file.type.startsWith("image/"));
  if (!pictures.length) return false;
  const all = new DataTransfer();
  for (const file of input.multiple ? pictures : pictures.slice(0, 1)) all.items.add(file);
  input.files = all.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
};

for (const place of document.querySelectorAll("[data-drop]")) {
  const input = place.querySelector("input[type=file]");
  if (!input.multiple) input.addEventListener("change", () => input.value && input.form.requestSubmit());
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

// What the server answers takes its place, but not while somebody is describing a picture; the focus stays where it was.
let isBehind = false;
const isDescribing = () => document.activeElement.matches("#gallery textarea");
const stay = (id) => (document.getElementById(id) ?? gallery.querySelector("button"))?.focus();
const focused = () => gallery.contains(document.activeElement) && document.activeElement.id;
const show = (answer) => {
  if (!answer?.ok) return false;
  const was = focused();
  isBehind = isDescribing();
  const before = gallery.querySelector("ol")?.innerHTML;
  for (const piece of [...answer.fresh.children])
    if (piece.id !== gallery.id || !isBehind) document.getElementById(piece.id)?.replaceChildren(...piece.childNodes);
  if (gallery.querySelector("ol")?.innerHTML !== before) dispatchEvent(new Event("pictures"));
  if (was && !isBehind) stay(was);
  return true;
};
const post = (address, body, how) => ask(address, { method: "POST", body, ...how });
// One thing is done after the other, so that what is shown last is what is so.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work));
const act = (form, address, extra) => {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(extra)) body.set(name, value);
  for (const words of form.elements) {
    if (!words.matches("textarea")) continue;
    if (words.value === words.defaultValue) body.delete(words.name); // another tab may have said it better
    words.defaultValue = words.value;
  }
  return inTurn(async () => show(await post(address, body)) || location.reload());
};
const move = async (form, address, extra) => {
  const was = focused();
  gallery.inert = true;
  await act(form, address, extra);
  gallery.inert = false;
  if (was) stay(was);
};

// One request for each file: all of them together may be more than one request may carry.
const add = async (form, place, files) => {
  const { name, dataset } = place.querySelector("input[type=file]");
  const said = place.querySelector("[role=status]");
  const wrong = [];
  for (const [number, file] of files.entries()) {
    if (file.size > dataset.most) {
      wrong.push(`${file.name}: The file has more than ${dataset.most / 2 ** 20} MB.`);
      continue;
    }
    said.textContent = `Sending ${number + 1} of ${files.length}…`;
    const body = new FormData(form);
    body.set(name, file);
    body.delete("alt");
    const answer = await post(form.action, body, { signal: null }); // as long as a large one takes
    if (show(answer)) continue;
    const why = answer?.status === 400 && !answer.text.startsWith("<") ? answer.text : "it did not arrive.";
    wrong.push(`${file.name}: ${why.slice(0, 200)}`);
  }
  said.textContent = "";
  place.querySelector("[role=alert]")?.remove();
  if (!wrong.length) return;
  const words = document.createElement("div");
  words.className = "errors section-note";
  words.setAttribute("role", "alert");
  words.tabIndex = -1;
  words.append(...wrong.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  said.after(words);
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
    move(deeds, formAction, name ? { [name]: value } : {});
  });
  const place = document.querySelector(".add-pictures");
  const input = place.querySelector("input[type=file]");
  let waiting = 0;
  let sending = Promise.resolve();
  const send = () => {
    const files = [...input.files];
    input.value = ""; // what it says of one picture is for whoever has no scripts
    waiting += files.length;
    sending = sending.then(() => add(adding, place, files)).then(() => (waiting -= files.length));
  };
  input.addEventListener("change", send);
  send(); // those chosen before this script was there
  addEventListener("beforeunload", (event) => waiting && event.preventDefault());

  // While some are being prepared it looks again, unless somebody is describing one.
  const again = async () => {
    if ((isBehind || gallery.querySelector("[data-preparing]")) && !isDescribing())
      await inTurn(async () => show(await ask(gallery.dataset.part)));
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
    move(deeds, dragged.dataset.move, { to: [...over.parentNode.children].indexOf(over) + 1 });
  });
}
