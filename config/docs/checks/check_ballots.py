"""Counts a week anew: python check_ballots.py ballots.ndjson.gz jwks.json [secret]. Needs cryptography."""

import base64
import gzip
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def plain(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


*lines, last = gzip.open(sys.argv[1]).read().splitlines()
week, *rows = map(json.loads, lines)
link = bytes.fromhex(week["previous"])
for line in lines:
    link = hashlib.sha256(link + line).digest()
head, body, signature = json.loads(last)["signature"].split(".")
sealed = f"{head}.{body}.{base64.urlsafe_b64encode(plain(signature)).decode().rstrip('=')}"
end = f'{{"kind":"head","head":"{link.hex()}","signature":"{sealed}"}}'
last.decode() == end or sys.exit("The chain is broken: a line was changed, added or left out.")
keys = {key["kid"]: plain(key["x"]) for key in json.load(open(sys.argv[2]))["keys"]}
public = Ed25519PublicKey.from_public_bytes(keys[json.loads(plain(head))["kid"]])
public.verify(plain(signature), f"{head}.{body}".encode())  # raises InvalidSignature
signed, votes = json.loads(plain(body)), {row["listing"]: 0 for row in rows if "rank" in row}
[signed["head"], signed["week"]] == [link.hex(), week["week"]] or sys.exit("It signs another week.")
ballots = {row["ballot"]: row for row in rows if row["kind"] == "ballot"}
len(ballots) + len(votes) == len(rows) or sys.exit("A ballot is there twice.")
for row in ballots.values():
    votes[row["listing"]] += "void" not in row
fair = [(-votes[row["listing"]], row["launched_at"], row["listing"], row) for row in rows if "rank" in row]
for place, (count, _, _, row) in enumerate(sorted(fair, key=lambda row: row[:3]), start=1):
    (row["rank"], row["votes"]) == (place, -count) or sys.exit("The places are wrong.")
print(f"Week of {week['week']}: {sum(votes.values())} votes, {len(votes)} places, as signed.")
texts = (f"{number} {week['week']} {secret}" for secret in sys.argv[3:] for number in votes)
for mine in ballots.keys() & {hashlib.sha256(text.encode()).hexdigest() for text in texts}:
    print(f"Your ballot {mine} is there.")
