// The editor saves as one goes. Without scripts its buttons do the same.
import { ask } from "./site.js";

const form = document.querySelector("form[data-autosave]");
const place = (id) => document.getElementById(id);
let touched = false; // since the last save began
let unsaved = !!document.querySelector("[data-both]"); // two texts, of which one has yet to be chosen
let isAnswered = false;
const review = document.querySelector("[data-review]");
const make = document.querySelector("[name=make]"); // quiet while something needed is left
let timer = 0;
let sent = null;

const later = (after = 600) => {
  clearTimeout(timer);
  timer = setTimeout(save, after);
};

const send = () => {
  touched = false;
  isAnswered = true;
  say("Saving…");
  const body = new FormData(form);
  body.set("do", "save");
  sent = ask(form.action, { method: "POST", body }).then((answer) => {
    sent = null;
    return show(answer);
  });
  return sent;
};

const save = async () => {
  // a new entry is saved once it is left, since half of one is refused
  const entry = document.activeElement?.closest("fieldset.entry");
  if (!touched || sent || (entry && form.contains(entry))) return;
  if ((await send()) && touched) later(); // who could not be reached is asked again by a press or the next letter
};

const say = (text) => {
  const bar = place("editor-saved");
  const words = bar.querySelector("b");
  if (words) words.textContent = text;
  for (const next of words ? bar.querySelectorAll("[data-next]") : []) next.hidden = true;
};

// What was typed since is not saved yet, and there is something to review: what was reviewed is no longer all.
const tell = () => {
  if (unsaved) say("Not saved yet.");
  place("finish").classList.toggle("unsaved", unsaved);
  const waits = unsaved || !!document.querySelector("#editor-saved [data-changes]");
  review?.classList.toggle("primary", waits);
  if (review) review.disabled = !waits;
  make?.classList.toggle("primary", !document.querySelector("#editor-glance progress"));
  if (!unsaved || review?.name !== "do") return;
  review.removeAttribute("name");
  review.textContent = "Review and publish";
};

// What is wrong with a value stands at its field, until it is right.
const blame = (field, fault) => {
  field?.querySelector(":scope > .error")?.remove();
  field?.classList.toggle("bad", !!fault);
  for (const input of field?.querySelectorAll(".input[name], .chips > input") ?? []) input.setAttribute("aria-invalid", !!fault);
  if (!fault) return;
  field?.querySelector(".head").after(fault);
};

// What is known of a saved value is drawn anew around its input, in which somebody may be typing.
const redraw = (old, fresh) => {
  const [mine, its] = [old, fresh].map((field) => field.querySelector(":scope > .input"));
  if (!mine || !its) return old.contains(document.activeElement) || (old.replaceWith(fresh), equip(fresh));
  for (const node of [...old.childNodes]) if (node !== mine) node.remove();
  const nodes = [...fresh.childNodes];
  mine.before(...nodes.splice(0, nodes.indexOf(its)));
  mine.after(...nodes.slice(1));
  old.className = fresh.className;
  count(mine);
  equip(old);
};

const show = (answer) => {
  place("finish").classList.add("unsaved");
  if (!answer || answer.redirected || ![200, 400, 409].includes(answer.status)) {
    touched = true;
    const why = "we couldn’t reach the site. Press Save to try again";
    const login = '<a href="/accounts/login/" target="_blank">sign in again</a>, then press Save';
    place("editor-saved").innerHTML = `<span class="wrong">Not saved yet: ${answer?.redirected || answer?.status === 403 ? login : why}.</span>`;
    return false;
  }
  const typed = [...form.querySelectorAll(".chips > input")].some(({ value }) => value); // a word that is no chip yet
  if (answer.ok) unsaved = touched || typed;
  if (answer.status !== 409) form.querySelectorAll(".field.bad").forEach((field) => blame(field));
  const faults = answer.fresh.querySelectorAll("[data-at]");
  for (const part of [...answer.fresh.children].filter(({ dataset }) => !("at" in dataset))) {
    const old = place(part.id);
    if (part.matches(".field")) old && redraw(old, part);
    else if (!part.id.startsWith("field-") || !old?.contains(document.activeElement)) old?.replaceChildren(...part.childNodes);
  }
  for (const fault of faults) blame(place(fault.dataset.at)?.closest(".field"), fault);
  tell();
  return true;
};

// The group of the pictures stands in this form, but its fields belong to others.
const isMine = ({ target }) => target.form === form;
form.addEventListener("input", (event) => {
  if (!isMine(event)) return;
  touched = unsaved = true;
  event.target.closest(".field")?.classList.add("typed");
  tell();
  // half an address, year or category is wrong: these are saved once they are left
  if (!event.target.matches("[type=url], [inputmode], [list]")) later(1500);
});
form.addEventListener("change", (event) => isMine(event) && later());
form.addEventListener("focusout", ({ target }) => target.closest("fieldset.entry") && later());
// What a press sends must know what was saved a moment before. Save itself needs no new page, unless there are two texts to show.
form.addEventListener("submit", async (event) => {
  clearTimeout(timer);
  const { submitter } = event;
  const isSave = !submitter.name || submitter.value === "save";
  if (isSave && submitter !== review && !document.querySelector("[data-both]")) {
    event.preventDefault();
    await sent;
    if (touched || !isAnswered) await send();
    const wrong = isPhone ? [] : form.querySelectorAll(".field.bad");
    for (const field of wrong) for (let fold = field; (fold = fold.parentElement?.closest("details")); ) fold.open = true;
    return;
  }
  if (sent) {
    event.preventDefault();
    await sent;
    const { isConnected, name } = submitter; // Undo is another one after each save
    return form.requestSubmit(isConnected ? submitter : document.querySelector(`[form=${form.id}][name=${name}]`));
  }
  unsaved = false;
  keep("pressed");
});
// Other forms of the page, as the one that sends a logo, lead to it anew: what was typed is saved before.
document.addEventListener("submit", async (event) => {
  if (event.target === form || event.defaultPrevented || !(touched || sent)) return;
  event.preventDefault();
  clearTimeout(timer);
  await sent;
  if (touched) await send();
  touched = false;
  keep("pressed");
  event.target.requestSubmit(event.submitter);
});
addEventListener("pagehide", () => sessionStorage.getItem(KEPT) || keep("read again"));
addEventListener("beforeunload", (event) => unsaved && event.preventDefault());

// A text in at most so many letters, its last word whole, as the template cuts it.
const atAWord = (text, most) => {
  if (!(text.length > most)) return text;
  const end = text.lastIndexOf(" ", most - 1);
  return `${text.slice(0, end > most / 2 ? end : most - 1).replace(/[ ,;:.…–—-]+$/, "")}…`;
};

// The row in the lists and the card of a link are drawn as one types.
form.addEventListener("input", ({ target }) => {
  const card = document.querySelector("[data-card] p");
  if (target.name === "name") card.querySelector("a, b").textContent = target.value;
  if (target.name === "tagline") card.lastChild.textContent = target.value;
  if (target.name === "tagline") {
    for (const offered of document.querySelectorAll(".offered")) offered.classList.remove("offered");
    place("looks-slanted")?.remove();
  }
  for (const shown of document.querySelectorAll(`[data-shows="${target.name}"]`)) {
    shown.textContent = atAWord(target.value, Number(shown.dataset.cut));
  }
});

// They follow the gallery too, with what the heads and the list at the side say of it.
addEventListener("pictures", async () => {
  const { fresh } = (await ask(form.action)) ?? {};
  for (const id of ["looks-row", "looks-card", "head-basics", "head-pictures", "editor-side", "editor-glance"]) {
    const part = fresh?.querySelector(`#${id}`);
    if (part) place(id).replaceChildren(...part.childNodes);
  }
});

place("finish").classList.add("saves"); // and so needs no Save of its own while nothing waits
tell();
const logo = place("logo");
const logoNow = () => logo.querySelector("live-part img")?.src;
let logoThen = logoNow();
const follow = () => {
  if (logoNow() === logoThen) return;
  logoThen = logoNow();
  dispatchEvent(new Event("pictures"));
};
new MutationObserver(follow).observe(logo, { childList: true, subtree: true });

// A text of one line has no second one.
form.addEventListener("keydown", (event) => event.key === "Enter" && event.target.matches("[rows='1']") && event.preventDefault());

// How long a text is and may be, once it is long; said aloud only near its end.
const count = (input) => {
  const words = place(`${input.id}-count`);
  if (!words) return "";
  const most = Number(words.dataset.most);
  const length = [...input.value].length;
  words.hidden = length < most * 0.7;
  words.textContent = `${length.toLocaleString("en")} of ${most.toLocaleString("en")}`;
  const isNear = most - length <= Math.min(20, most / 10);
  return isNear ? `${most - length} letters left` : "";
};
form.addEventListener("input", ({ target }) => (place("editor-left").textContent = count(target)));
[...form.elements].forEach(count);

// The words of a list are chips, each removed by a press; without scripts they stand one a line.
const equip = (field) => {
  field.querySelector("[role=toolbar]")?.removeAttribute("hidden");
  const text = field.querySelector("[data-words]");
  if (!text) return;
  field.querySelector(".hint").textContent = "Press Enter after each.";
  if (text.hidden) return;
  const [box, entry] = [document.createElement("div"), document.createElement("input")];
  const words = () => text.value.split("\n").filter(Boolean);
  const set = (all) => {
    text.value = [...new Set(all)].join("\n");
    draw();
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const draw = () => {
    for (const chip of box.querySelectorAll("button")) chip.remove();
    for (const word of words()) {
      const chip = Object.assign(document.createElement("button"), { type: "button", className: "button little", dir: "auto", textContent: `${word} ×`, ariaLabel: `Remove: ${word}` });
      chip.addEventListener("click", () => (set(words().filter((other) => other !== word)), entry.focus()));
      entry.before(chip);
    }
  };
  const add = () => {
    const more = entry.value.split(",").map((word) => word.trim()).filter(Boolean);
    entry.value = "";
    if (more.length) set([...words(), ...more]);
  };
  box.className = "input chips";
  Object.assign(entry, { id: text.id, dir: "auto" });
  for (const name of ["aria-describedby", "aria-invalid"]) entry.setAttribute(name, text.getAttribute(name) ?? "");
  text.before(box);
  box.append(entry, text);
  text.removeAttribute("id");
  text.hidden = true;
  entry.addEventListener("change", add);
  entry.addEventListener("input", (event) => !event.isComposing && entry.value.includes(",") && add());
  entry.addEventListener("paste", (event) => {
    const lines = event.clipboardData.getData("text").trim();
    if (!lines.includes("\n")) return;
    event.preventDefault();
    entry.value += lines.replace(/\s*\n\s*/g, ",");
    add();
  });
  entry.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // Enter takes what is proposed
    if (event.key === "Enter") event.preventDefault(), add();
    if (event.key === "Backspace" && !event.repeat && !entry.value && words().length) set(words().slice(0, -1));
  });
  draw();
};
form.querySelectorAll(".field").forEach(equip);

// The buttons above a text in Markdown put its signs around what is chosen, or before each line; arrows go between them.
form.addEventListener("click", ({ target }) => {
  const { sign, end } = target.closest("[data-sign]")?.dataset ?? {};
  if (!sign) return;
  const text = place(target.closest("[role=toolbar]").getAttribute("aria-controls"));
  const { selectionStart: from, selectionEnd: to, value } = text;
  const first = end ? from : value.lastIndexOf("\n", from - 1) + 1;
  const chosen = value.slice(first, to);
  const marked = end ? sign + chosen + end : chosen.replace(/^/gm, sign);
  text.focus();
  if (text.maxLength > 0 && value.length + marked.length - chosen.length > text.maxLength) return;
  text.setSelectionRange(first, to);
  document.execCommand("insertText", false, marked); // so that it can be undone by keys
});
form.addEventListener("keydown", ({ key, target }) => {
  const bar = target.closest("[role=toolbar]");
  const next = bar && { ArrowRight: target.nextElementSibling ?? bar.firstElementChild, ArrowLeft: target.previousElementSibling ?? bar.lastElementChild }[key];
  if (!next) return;
  [target.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
});

// On a phone one group is open at a time, so that each is a screen; elsewhere what waits for nothing is folded.
const isPhone = matchMedia("(max-width: 40rem)").matches;
const groups = [...form.querySelectorAll("details.group")];
const first = groups.find((group) => group.querySelector(".error")) ?? groups.find((group) => group.querySelector(location.hash || "#none")) ?? groups[0];
for (const group of groups) {
  group.open = group === first || (!isPhone && group.open && !("settled" in group.dataset));
  if (isPhone) group.name = "group";
}
// The one that closes above takes its height along: what was pressed stays in view.
const stayAt = ({ currentTarget }) => setTimeout(() => currentTarget.parentNode.scrollIntoView({ behavior: "instant" }));
if (isPhone) for (const group of groups) group.firstElementChild.addEventListener("click", stayAt);
const isNarrow = matchMedia("(max-width: 61.99rem)").matches;
if (isNarrow) document.querySelector("#when-shared")?.removeAttribute("open");

// Whoever saves or takes back goes on where they were: the same groups open, the same field at the same height.
const KEPT = "editor-place";
const inside = (group) => group.querySelector("[id^=in-]").id;
const keep = (why) => {
  const heightOf = (one) => one.getBoundingClientRect().top;
  const near = [...form.querySelectorAll("[id^=field-], [id^=in-], h3[id]")].find((one) => one.checkVisibility() && heightOf(one) >= 0);
  const open = groups.filter((group) => group.open).map(inside);
  sessionStorage.setItem(KEPT, JSON.stringify({ why, of: form.action, near: near?.id, top: near && heightOf(near), open }));
};
form.addEventListener("formdata", ({ formData }) => formData.set("stays", "1")); // no need to be led to a field
const kept = JSON.parse(sessionStorage.getItem(KEPT));
sessionStorage.removeItem(KEPT);
const isComing = kept?.why === "pressed" || performance.getEntriesByType("navigation")[0]?.type === "reload";
if (isComing && kept?.of === form.action && place(kept.near) && !document.querySelector(".errors, #review")) {
  for (const group of groups) group.open = kept.open.includes(inside(group));
  scrollBy({ top: place(kept.near).getBoundingClientRect().top - kept.top, behavior: "instant" });
}
