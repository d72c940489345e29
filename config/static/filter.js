// A field that leaves of many choices in folds those that hold what is typed. Without scripts the folds stand open to all.

customElements.define(
  "filter-box",
  class extends HTMLElement {
    connectedCallback() {
      const choices = [...document.getElementById(this.getAttribute("for")).querySelectorAll("label")];
      const groups = [...new Set(choices.map((choice) => choice.closest("details")))];
      const [input, status] = [this.querySelector("input"), this.querySelector("[role=status]")];
      const words = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      this.hidden = false;
      input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
      input.addEventListener("input", () => {
        const typed = words(input.value.trim());
        for (const choice of choices) choice.hidden = !words(choice.textContent).includes(typed);
        for (const group of groups) {
          group.hidden = !group.querySelector("label:not([hidden])");
          group.open = Boolean(typed && !group.hidden) || Boolean(group.querySelector(":checked"));
        }
        const left = choices.filter((choice) => !choice.hidden).length;
        status.textContent = !typed ? "" : left === 1 ? "1 category" : left ? `${left} categories` : "No category has this word.";
      });
    }
  },
);
