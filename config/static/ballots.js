// Finds the reader's own ballots in the file of a closed week. The browser makes the hash and reads the file by itself.
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function place(button) {
  const text = new TextEncoder().encode(button.dataset.text);
  const [ballot, file] = await Promise.all([crypto.subtle.digest("SHA-256", text).then(hex), fetch(button.dataset.file)]);
  const unpacked = file.body.pipeThrough(new DecompressionStream("gzip"));
  const lines = (await new Response(unpacked).text()).trim().split("\n");
  const at = lines.findIndex((line) => line.includes(`"ballot":"${ballot}"`));
  if (at < 0) return "It is not in the file. Please write to us.";
  const counts = lines[at].includes('"void":') ? "It did not count" : "It counts";
  return `It is in the file, line ${(at + 1).toLocaleString("en")} of ${lines.length.toLocaleString("en")}. ${counts}.`;
}

for (const button of document.querySelectorAll("[data-text]")) {
  button.hidden = !(window.crypto?.subtle && window.DecompressionStream);
  button.addEventListener("click", async () => {
    const words = button.parentElement.querySelector("[role=status]");
    words.textContent = "Reading the file";
    words.textContent = await place(button).catch(() => "The file cannot be read. Please try again.");
  });
}
