// What pages gain with scripts. Without them everything still works: forms post, pages refresh, text is selectable.

customElements.define(
  "copy-button",
  class extends HTMLElement {
    connectedCallback() {
      if (!navigator.clipboard) return;
      this.hidden = false;
      this.querySelector("button").addEventListener("click", async () => {
        await navigator.clipboard.writeText(document.getElementById(this.getAttribute("for")).textContent.trim());
        this.querySelector("[role=status]").textContent = "Copied";
      });
    }
  },
);

// A part that asks for itself again until the server sends one that has settled.
customElements.define(
  "live-part",
  class extends HTMLElement {
    connectedCallback() {
      this.timer = setTimeout(() => this.refresh(), Number(this.getAttribute("every")) * 1000);
    }

    disconnectedCallback() {
      clearTimeout(this.timer);
    }

    async refresh() {
      const answer = await fetch(this.getAttribute("src"), { headers: { "X-Part": "1" } }).catch(() => null);
      if (!answer?.ok) return this.connectedCallback();
      const fresh = document.createRange().createContextualFragment(await answer.text());
      if (fresh.querySelector("live-part")) this.replaceWith(fresh);
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
  const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "1" } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return form.submit();
  const fresh = document.createRange().createContextualFragment(await answer.text());
  const button = fresh.querySelector("button, a");
  form.replaceWith(fresh);
  button?.focus();
});

// Text that was typed and not sent is not lost by a slip.
for (const form of document.querySelectorAll("form[data-guard]")) {
  let touched = false;
  form.addEventListener("input", () => (touched = true));
  form.addEventListener("submit", () => (touched = false));
  addEventListener("beforeunload", (event) => touched && event.preventDefault());
}

// "closes in 1 day 9 h", kept true each minute.
const clocks = document.querySelectorAll("time[data-left]");
const tell = () => {
  for (const clock of clocks) {
    const minutes = Math.max(0, Math.floor((new Date(clock.dateTime) - Date.now()) / 60000));
    const days = Math.floor(minutes / 1440);
    const hours = Math.floor((minutes % 1440) / 60);
    if (days) clock.textContent = `${days} ${days === 1 ? "day" : "days"} ${hours} h`;
    else clock.textContent = hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
  }
};
if (clocks.length) setInterval(tell, 60000);

document.querySelector(".errors")?.focus();
