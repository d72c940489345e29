// The main job through openapi-fetch with the types of openapi-typescript. Prints a line where a person has to act.
import { createInterface } from "node:readline/promises";
import createClient from "openapi-fetch";
import type { paths } from "./generated/fetch.d.ts";

const [site, key, url] = process.argv.slice(2) as [string, string, string];
const api = createClient<paths>({ baseUrl: `${site}/api/v1`, headers: { Authorization: `Bearer ${key}` } });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function got<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function ask(request: Record<string, string>): Promise<void> {
  console.log(JSON.stringify(request));
  await lines.next();
}

let draft = got(await api.POST("/drafts", { body: { url } }));
const id = draft.id;
while (draft.status !== "ready") {
  if (draft.status === "failed") throw new Error(JSON.stringify(draft.error));
  await new Promise((resolve) => setTimeout(resolve, 500));
  draft = got(await api.GET("/drafts/{id}", { params: { path: { id } } }));
}
const fields = { tagline: "Invoices that arrive", categories: ["Invoicing"] };
got(await api.PATCH("/drafts/{id}", { params: { path: { id } }, body: { fields } }));
const { listing_id, slug } = got(await api.POST("/drafts/{id}/submit", { params: { path: { id } } }));
const own = { params: { path: { listing_id } } };
got(await api.POST("/me/listings/{listing_id}/free", own));
const cart = { items: [{ product: "launch", listing_id }], billing_country: "BE" };
const quote = got(await api.POST("/orders/quote", { body: cart }));
const bought = got(await api.POST("/orders/checkout", { body: cart }));
await ask({ pay: bought.checkout_url });
const order = got(await api.GET("/orders/{number}", { params: { path: { number: bought.order.number } } }));
const claim = got(await api.POST("/claims", { body: { slug, method: "file" } }));
await ask({ publish: claim.instructions.file?.content ?? "" });
const proved = got(
  await api.POST("/claims/{claim_id}/verify", { params: { path: { claim_id: claim.claim_id } } }),
);
const listing = got(await api.GET("/me/listings/{listing_id}", own));
console.log(
  JSON.stringify({
    tagline: listing.tagline,
    status: listing.status,
    claim: proved.status,
    order: order.status,
    as_quoted: order.total_cents === quote.total_cents,
  }),
);
