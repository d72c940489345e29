// Receives events. Before it: npm install standardwebhooks, and WEBHOOK_SECRET as the site showed it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

type Event = { type: string; timestamp: string; data: Record<string, unknown> };

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const seen = new Set<string>(); // in a database in earnest: the same id may come twice

// Your work. What takes long goes into a queue: the answer has 10 seconds.
async function handle(event: Event): Promise<void> {
  console.log(`${event.type} ${event.timestamp}`);
}

// Any 2xx says that the event is yours now. Everything else has it sent again.
const server = createServer(async (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  for await (const chunk of request) body += chunk;
  const headers = request.headers as Record<string, string>;
  let event: Event;
  try {
    event = webhook.verify(body, headers) as Event;
  } catch {
    response.writeHead(400).end();
    return;
  }
  const id = headers["webhook-id"] ?? "";
  if (!seen.has(id)) {
    await handle(event);
    seen.add(id);
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on ${(server.address() as AddressInfo).port}`);
});
