"""A foreign MCP server: a small shop whose tools the gateway buys with."""
import json
import sys
from datetime import datetime, timezone

import uvicorn
from mcp.server import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("foreign-shop")
quotes = {}
orders = []


@server.tool(description="Who is signed in")
def whoami() -> dict:
    return {"id": "c-1", "name": "Ada Foreign", "addresses": [{"id": "home", "label": "Home", "text": "1 Quay"}]}


@server.tool(description="The price of an order, without placing it", annotations=ToolAnnotations(readOnlyHint=True))
def quote(sku: str, quantity: int, address: str) -> dict:
    quote_id = f"q{len(quotes) + 1}"
    quotes[quote_id] = {
        "quote_id": quote_id, "sku": sku, "quantity": quantity, "title": "Trail Lamp 200", "address": address,
        "currency": "EUR", "unit_minor": 4990, "total_minor": 4990 * quantity,
    }
    return quotes[quote_id]


@server.tool(description="Places the order of a quote")
def order(quote_id: str, reference: str) -> dict:
    known = quotes[quote_id]
    placed = {
        "number": f"PY-{len(orders) + 1}", "reference": reference, "sku": known["sku"], "quantity": known["quantity"],
        "total_minor": known["total_minor"], "placed_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    orders.append(placed)
    return placed


@server.tool(name="orders", description="The orders of the account")
def list_orders(limit: int) -> dict:
    return {"orders": list(reversed(orders))[:limit]}


class Door:
    """Takes one token alone, and answers a control request for the test."""

    def __init__(self, app, token):
        self.app, self.token = app, token

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        if scope["path"] == "/control/orders":
            return await answer(send, 200, orders)
        shown = dict(scope["headers"]).get(b"authorization", b"").decode()
        if shown != f"Bearer {self.token}":
            return await answer(send, 401, {})
        await self.app(scope, receive, send)


async def answer(send, status, body):
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


job = json.load(sys.stdin)
app = Door(server.streamable_http_app(stateless_http=True, json_response=True), job["token"])
uvicorn.run(app, host="127.0.0.1", port=job["port"], log_level="warning")
