// Checks credentials with jose and the keys that the site publishes: prints claims, or why one is refused.
import { readFileSync } from "node:fs";
import { createLocalJWKSet, jwtVerify } from "jose";

const { keys, credentials } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const known = createLocalJWKSet(keys);
const said = [];
for (const text of credentials) {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, known);
    said.push({ claims: payload, alg: protectedHeader.alg });
  } catch (error) {
    said.push({ refused: error.code });
  }
}
process.stdout.write(JSON.stringify(said));
