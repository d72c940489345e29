// Takes the events of event_drills.py: checks each by the standard's own library, and refuses every third.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const [port, secret] = process.argv.slice(2);
const webhook = new Webhook(secret);
let number = 0;

createServer(async (request, response) => {
  const parts = [];
  try {
    for await (const part of request) parts.push(part);
  } catch {
    return; // its sender was killed in the middle of it
  }
  const body = Buffer.concat(parts).toString();
  let isTrue = true;
  try {
    webhook.verify(body, request.headers);
  } catch {
    isTrue = false;
  }
  number += 1;
  const status = number % 3 === 0 ? 500 : 204;
  const [id, hash] = [request.headers["webhook-id"], createHash("sha256").update(body).digest("hex")];
  console.log(JSON.stringify({ id, hash, isTrue, status, at: Date.now() / 1000 }));
  response.writeHead(status).end();
}).listen(Number(port), "127.0.0.1");
