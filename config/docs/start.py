"""The quick starts, ready to be copied: in a shell, in Python, in a generated client and in an MCP client."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.mcp.pages import KEY, clients
from core.api.links import absolute

READ = {
    "curl": 'curl "{base}/listings?q=invoice&per_page=3"',
    "Python": """import httpx

answer = httpx.get("{base}/listings", params={{"q": "invoice", "per_page": 3}})
answer.raise_for_status()
for listing in answer.json()["items"]:
    print(listing["name"], listing["tagline"])""",
}
DRAFT = {
    "curl": """export KEY={key}
curl "{base}/drafts" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: my-first-draft" \\
  -d '{{"url": "https://your-product.example"}}'

# the answer has the draft's id
curl "{base}/drafts/ID" -H "Authorization: Bearer $KEY\"""",
    "Python": """import os
import time

import httpx

api = httpx.Client(
    base_url="{base}", headers={{"Authorization": f"Bearer {{os.environ['KEY']}}"}}, timeout=30
)
answer = api.post(
    "/drafts",
    json={{"url": "https://your-product.example"}},
    headers={{"Idempotency-Key": "my-first-draft"}},
)
draft = answer.raise_for_status().json()
while draft["status"] not in {{"ready", "failed"}}:
    time.sleep(draft.get("poll_after_seconds") or 3)
    draft = api.get(f"/drafts/{{draft['id']}}").raise_for_status().json()
for step in draft["next_actions"]:
    print(step["operation"], step["why"])""",
}

CLIENT = {
    "TypeScript: make the types": """npm install openapi-fetch openapi-typescript
npx openapi-typescript {base}/openapi.json -o launch.d.ts""",
    "TypeScript": """import createClient from "openapi-fetch";
import type {{ paths }} from "./launch.d.ts";

const api = createClient<paths>({{ baseUrl: "{base}" }});
const query = {{ q: "invoice", per_page: 3 }};
const {{ data, error }} = await api.GET("/listings", {{ params: {{ query }} }});
if (error) throw new Error(error.detail);
for (const listing of data.items) console.log(listing.name, listing.tagline);""",
    "Python: make the client": """pip install openapi-python-client
openapi-python-client generate --url {base}/openapi.json --meta none --output-path launch_client""",
    "Python": """from launch_client import Client
from launch_client.api.public import search_listings
from launch_client.models import SearchListingPage

api = Client(base_url="{base}")
answer = search_listings.sync(client=api, q="invoice", per_page=3)
if not isinstance(answer, SearchListingPage):
    raise SystemExit(answer)
for listing in answer.items:
    print(listing.name, listing.tagline)""",
}


def filled(texts: dict[str, str]) -> list[tuple[str, str]]:
    """Language and text of each way, with the addresses of this installation."""
    return [(name, text.format(base=absolute("/api/v1"), key=KEY)) for name, text in texts.items()]


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    url = absolute("/mcp")
    connect = [(client["name"], client["sign_in"]) for client in clients(url) if "sign_in" in client]
    parts = [
        ("read", "Read", "Reading needs no key. This finds three products that fit a word.", filled(READ)),
        (
            "draft",
            "Get a draft of your product",
            "This needs a key. The draft is written from the website, takes about a minute, and is seen by you alone.",
            filled(DRAFT),
        ),
        (
            "client",
            "A typed client",
            "The OpenAPI file compiles into clients that know every operation and shape.",
            filled(CLIENT),
        ),
        (
            "agent",
            "Connect an agent",
            "Every operation is also a tool of the MCP server. Your agent signs you in; you choose what it may do.",
            connect,
        ),
    ]
    return render(request, "docs/start.html", {"parts": parts, "mcp_url": url})
