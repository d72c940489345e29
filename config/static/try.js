// The calls of the reference, sent from their page. The key stays in its field: nothing here stores it.
const form = document.querySelector("form[data-try]");
const out = document.querySelector("[data-try-answer]");

function address() {
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(form.elements[`path:${name}`].value.trim()),
  );
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[name^='query:']")) {
    if (field.value.trim()) query.append(field.name.slice(6), field.value.trim());
  }
  return query.size ? `${path}?${query}` : path;
}

function request() {
  const headers = { Accept: "application/json" };
  const key = form.elements.key?.value.trim();
  if (key) headers.Authorization = `Bearer ${key}`;
  const body = form.elements.body?.value.trim();
  if (body) headers["Content-Type"] = "application/json";
  return { method: form.dataset.method, headers, body: body || undefined, credentials: "omit", cache: "no-store" };
}

async function send() {
  const [status, text] = out.querySelectorAll("[role=status], pre");
  status.textContent = "Waiting for the answer";
  const began = performance.now();
  try {
    const answer = await fetch(address(), request());
    const body = await answer.text();
    status.textContent = `${answer.status} ${answer.statusText}, ${Math.round(performance.now() - began)} ms`;
    text.textContent = pretty(body);
    text.hidden = !body;
  } catch {
    status.textContent = "No answer came. Check the connection and send it again.";
    text.hidden = true;
  }
}

function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

form?.closest("section").removeAttribute("hidden");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  out.hidden = false;
  form.elements.send.disabled = true;
  await send();
  form.elements.send.disabled = false;
});
