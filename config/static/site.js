// What pages gain with scripts. Without them everything still works: forms post, pages refresh, text is selectable.

// Asks for a part of a page. Gives nothing where no whole answer comes in time: whoever waits for it has to go on.
export const ask = async (address, how) => {
  try {
    const answer = await fetch(address, { headers: { "X-Part": "1" }, signal: AbortSignal.timeout(20000), ...how });
    const { headers, ok, redirected, status } = answer;
    const text = await answer.text();
    const isPart = headers.get("Content-Type")?.startsWith("text/html");
    const fresh = document.createRange().createContextualFragment(isPart ? text : "");
    return { ok: ok && !redirected, redirected, status, text, fresh };
  } catch {
    return null;
  }
};

// Who signed in again in another tab has another token by now.
addEventListener("formdata", ({ formData }) => {
  const [, token] = /(?:^|; )csrftoken=(\w+)/.exec(document.cookie) ?? [];
  if (token && formData.has("csrfmiddlewaretoken")) formData.set("csrfmiddlewaretoken", token);
});

customElements.define(
  "copy-button",
  class extends HTMLElement {
    connectedCallback() {
      if (!navigator.clipboard) return;
      this.hidden = false;
      this.querySelector("button").addEventListener("click", async () => {
        const from = document.getElementById(this.getAttribute("for"));
        await navigator.clipboard.writeText((from.value ?? from.textContent).trim());
        this.querySelector("[role=status]").textContent = "Copied";
      });
    }
  },
);

// When somebody last set out for another page: until that page is there, this one must not load itself again in its place.
let left = -Infinity;
addEventListener("beforeunload", () => (left = performance.now()));
const leaving = () => performance.now() - left < 30000;

// A part that asks for itself again until the server sends one that has settled.
customElements.define(
  "live-part",
  class extends HTMLElement {
    connectedCallback() {
      if (!this.hasAttribute("every")) return;
      this.timer = setTimeout(() => this.refresh(), Number(this.getAttribute("every")) * 1000);
    }

    disconnectedCallback() {
      clearTimeout(this.timer);
    }

    async refresh() {
      const answer = await ask(this.getAttribute("src"));
      if (leaving() || !(answer?.ok || answer?.redirected)) return this.connectedCallback();
      const goesOn = answer.fresh.querySelector("live-part[every]") || this.hasAttribute("stay");
      if (answer.ok && goesOn) this.replaceWith(answer.fresh);
      else location.reload();
    }
  },
);

// Votes and follows without a new page: the server answers with the form as it is now.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-swap]")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const answer = await ask(form.action, { method: "POST", body });
  if (!answer?.ok) {
    const { name, value } = event.submitter; // which a form that is sent by a script leaves out
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    return form.submit();
  }
  const button = answer.fresh.querySelector("button, a");
  recount(form, button);
  form.replaceWith(answer.fresh);
  button?.focus();
});

// What is counted beside a button goes along with its press; what only the server can count anew goes away.
const recount = (form, button) => {
  const more = button?.dataset.count - form.querySelector("[data-count]")?.dataset.count;
  if (!more) return;
  const add = (row, words, by) => {
    for (const part of row?.querySelectorAll("[data-tally]") ?? []) {
      if (!words.test(part.textContent)) continue;
      const number = parseInt(part.textContent) + by; // none of "Level with", of "No votes yet"
      if (number > 0) part.firstChild.data = part.firstChild.data.replace(/\d+/, number);
      else part.remove();
    }
  };
  const row = form.closest(".row"), rows = [...document.querySelectorAll(".row")], place = rows.indexOf(row);
  add(row, /^\d+ ahead/, more);
  add(row, /^(\d+ behind|Level|No votes)/, -more);
  add(rows[place - 1], /^\d+ ahead/, -more);
  add(row && rows[place + 1], /^(\d+ behind|Level)/, more);
  if (button.matches(".vote")) for (const total of document.querySelectorAll("[data-total]")) total.remove();
};

// The tab of what one reads: of the sections the last that begins in the upper third of the window.
const tabs = [...document.querySelectorAll(".stuck .tabs a")];
const mark = () => {
  const passed = tabs.filter((tab) => document.querySelector(tab.hash)?.getBoundingClientRect().top < innerHeight / 3);
  const isEnd = scrollY && innerHeight + scrollY + 2 > document.documentElement.scrollHeight;
  const current = (isEnd ? tabs : passed).at(-1) ?? tabs[0];
  for (const tab of tabs) tab.ariaCurrent = tab == current ? "location" : null;
};
if (tabs.length) {
  addEventListener("scroll", mark, { passive: true });
  mark();
}

// A field that offers products while one types: a combobox with a list box (WAI-ARIA). With `fill`, it takes the name.
customElements.define(
  "suggest-box",
  class extends HTMLElement {
    connectedCallback() {
      const input = (this.input = this.querySelector("input"));
      this.list = Object.assign(document.createElement("ul"), { id: `${input.id}-list`, className: "listbox", hidden: true });
      this.list.setAttribute("role", "listbox");
      this.list.setAttribute("aria-label", "Products");
      this.status = Object.assign(document.createElement("span"), { className: "hidden-words" });
      this.status.setAttribute("role", "status");
      this.append(this.list, this.status);
      const states = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.list.id };
      for (const [name, value] of Object.entries(states)) input.setAttribute(name, value);
      input.addEventListener("input", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask(), 150);
      });
      input.addEventListener("keydown", (event) => this.press(event));
      input.addEventListener("blur", () => this.show([]));
      this.list.addEventListener("mousedown", (event) => event.preventDefault());
      this.list.addEventListener("click", (event) => this.choose(event.target.closest("[role=option]")));
    }

    async ask() {
      const typed = this.input.value.trim();
      if (typed.length < 2) return this.show([]);
      const answer = await ask(`${this.getAttribute("src")}?q=${encodeURIComponent(typed)}`);
      if (!answer?.ok || typed !== this.input.value.trim() || document.activeElement !== this.input) return;
      const found = [...answer.fresh.querySelectorAll("[role=option]")];
      this.show(this.hasAttribute("fill") ? found.filter((one) => one.dataset.name) : found);
    }

    show(options) {
      clearTimeout(this.timer);
      options.forEach((option, number) => (option.id = `${this.list.id}-${number}`));
      this.list.replaceChildren(...options);
      this.list.hidden = !options.length;
      this.input.setAttribute("aria-expanded", String(!this.list.hidden));
      this.mark(null);
      const products = options.filter((one) => one.dataset.name).length;
      this.status.textContent = options.length ? `${products} product${products === 1 ? "" : "s"}` : "";
    }

    mark(option) {
      this.marked?.setAttribute("aria-selected", "false");
      this.marked = option;
      option?.setAttribute("aria-selected", "true");
      if (option) this.input.setAttribute("aria-activedescendant", option.id);
      else this.input.removeAttribute("aria-activedescendant");
    }

    press(event) {
      const options = [...this.list.children];
      if (event.key === "Escape" && options.length) {
        event.preventDefault();
        this.show([]);
      } else if (event.key === "Enter" && this.marked) {
        event.preventDefault();
        this.choose(this.marked);
      } else if (["ArrowDown", "ArrowUp"].includes(event.key) && options.length) {
        event.preventDefault();
        const step = event.key === "ArrowDown" ? 1 : -1;
        const from = this.marked ? options.indexOf(this.marked) : step > 0 ? -1 : 0;
        this.mark(options[(from + step + options.length) % options.length]);
      }
    }

    choose(option) {
      if (!option) return;
      if (!this.hasAttribute("fill")) return location.assign(option.dataset.href);
      this.input.value = option.dataset.name;
      this.show([]);
    }
  },
);

// `/` goes to the search field, unless one is typing or has switched it off.
addEventListener("keydown", (event) => {
  const field = document.querySelector("#search-words, [aria-keyshortcuts='/']");
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
  if (!field?.checkVisibility() || !document.querySelector("[aria-keyshortcuts='/']")) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// A text to share goes with its link as it was edited.
addEventListener("input", ({ target }) => {
  const link = target.id && document.querySelector(`[data-shares="${target.id}"]`);
  if (link) link.href = link.dataset.opens + encodeURIComponent(target.value);
});

// Text that was typed and not sent is not lost by a slip.
for (const form of document.querySelectorAll("form[data-guard]")) {
  let touched = false;
  form.addEventListener("input", () => (touched = true));
  form.addEventListener("submit", () => (touched = false));
  addEventListener("beforeunload", (event) => touched && event.preventDefault());
}

// The total follows the country, the postcode, the VAT number and its name; whoever pays meanwhile sees the new one first.
for (const form of document.querySelectorAll("form[data-total]")) {
  let asked = null;
  const total = () => form.elements.total.value;
  const askTotal = async () => {
    const body = new FormData(form);
    body.set("act", "total");
    const answer = await ask(form.action, { method: "POST", body });
    if (!answer?.ok) return;
    return () => [...answer.fresh.children].forEach((part) => document.getElementById(part.id)?.replaceChildren(...part.childNodes));
  };
  form.addEventListener("change", async (event) => {
    if (!["country", "vat_number", "postcode", "company", "name"].includes(event.target.name)) return;
    const mine = (asked = askTotal());
    const show = await mine;
    if (asked !== mine) return;
    asked = null;
    show?.();
  });
  form.addEventListener("submit", async (event) => {
    if (!asked) return;
    event.preventDefault();
    const seen = total();
    while (asked) await asked;
    if (total() === seen) form.requestSubmit(event.submitter);
    else event.submitter.focus();
  });
}

// "closes in 3 days 9 h", kept true each minute; in hours and minutes for the last two days.
const clocks = document.querySelectorAll("time[data-left]");
const tell = () => {
  for (const clock of clocks) {
    const minutes = Math.max(0, Math.floor((new Date(clock.dateTime) - Date.now()) / 60000));
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) clock.textContent = `${Math.floor(hours / 24)} days ${hours % 24} h`;
    else clock.textContent = hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  }
};
if (clocks.length) setInterval(tell, 60000);

document.querySelector(".errors")?.focus();

// Pictures open over the page, one after the other; without a script each is a link.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".gallery a, .site-picture > a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const links = [...link.closest("ul, figure").querySelectorAll("a:has(img)")];
  const viewer = Object.assign(document.createElement("dialog"), { className: "viewer", ariaLabel: "Pictures" });
  const button = (words, by) => `<button class="button" data-by="${by}">${words}</button>`;
  const steps = links.length > 1 ? button("Previous", -1) + button("Next", 1) : "";
  viewer.innerHTML = `<img><p role="status"></p><div class="cluster">${steps}${button("Close", "")}</div>`;
  const show = (at) => {
    const { alt } = links[at].querySelector("img");
    viewer.dataset.at = at;
    Object.assign(viewer.firstChild, { src: links[at].href, alt: "" });
    viewer.querySelector("p").textContent = links.length > 1 ? `${alt} (${at + 1} of ${links.length})` : alt;
  };
  const step = (by) => show((Number(viewer.dataset.at) + by + links.length) % links.length);
  viewer.addEventListener("click", ({ target: { dataset, tagName } }) => {
    if (Number(dataset.by)) step(Number(dataset.by));
    else if (tagName === "DIALOG" || dataset.by === "") viewer.close();
  });
  viewer.addEventListener("keydown", ({ key }) => /^Arrow(Left|Right)$/.test(key) && step(key === "ArrowLeft" ? -1 : 1));
  viewer.addEventListener("close", () => viewer.remove());
  show(links.indexOf(link));
  document.body.append(viewer);
  viewer.showModal();
});
