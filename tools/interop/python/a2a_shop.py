"""A foreign A2A agent: a small shop that takes the gateway's tokens for it and nobody else's."""
import json
import sys
from datetime import datetime, timezone

import jwt
import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2
from google.protobuf.json_format import MessageToDict, ParseDict
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

job = json.load(sys.stdin)
ORIGIN = f"http://127.0.0.1:{job['port']}"
quotes = {}
orders = []


def whole(number):
    return int(number) if isinstance(number, float) and number.is_integer() else number


def act(skill, given):
    if skill == "account":
        return {"id": "c-1", "name": "Ada Foreign", "addresses": [{"id": "home", "label": "Home", "text": "1 Quay"}]}
    if skill == "quote":
        quantity = whole(given["quantity"])
        quote_id = f"q{len(quotes) + 1}"
        quotes[quote_id] = {
            "quote_id": quote_id, "sku": given["sku"], "quantity": quantity, "title": "Trail Lamp 200",
            "currency": "EUR", "unit_minor": 4990, "total_minor": 4990 * quantity,
        }
        return quotes[quote_id]
    if skill == "quote-look":
        return quotes[given["quote_id"]]
    if skill == "order":
        known = quotes[given["quote_id"]]
        orders.append({
            "number": f"PY-{len(orders) + 1}", "key": given["key"], "sku": known["sku"],
            "quantity": known["quantity"], "total_minor": known["total_minor"],
            "placed_at": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        })
        return orders[-1]
    return {"orders": orders}


class Shop(AgentExecutor):
    async def execute(self, context, event_queue):
        told = MessageToDict(context.message)["parts"][0]["data"]
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        if context.current_task is None:
            await event_queue.enqueue_event(a2a_pb2.Task(
                id=context.task_id, context_id=context.context_id,
                status=a2a_pb2.TaskStatus(state=a2a_pb2.TASK_STATE_WORKING)))
        part = ParseDict({"data": act(told["skill"], told["input"]), "mediaType": "application/json"}, a2a_pb2.Part())
        await updater.add_artifact([part])
        await updater.complete()

    async def cancel(self, context, event_queue):
        raise NotImplementedError


card = ParseDict({
    "name": "Foreign shop", "description": "Buys at the foreign shop.", "version": "1.0.0",
    "supportedInterfaces": [{"url": f"{ORIGIN}/a2a", "protocolBinding": job["binding"], "protocolVersion": "1.0"}],
    "capabilities": {"streaming": True},
    "securitySchemes": {"bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer", "bearerFormat": "JWT"}}},
    "securityRequirements": [{"schemes": {"bearer": {"list": ["shop"]}}}],
    "defaultInputModes": ["application/json"], "defaultOutputModes": ["application/json"],
    "skills": job["skills"],
}, a2a_pb2.AgentCard())
handler = DefaultRequestHandler(Shop(), InMemoryTaskStore(), card)


async def control(_request):
    return JSONResponse(orders)


routes = [Route("/control/orders", control), *create_agent_card_routes(card)]
if job["binding"] == "JSONRPC":
    routes += create_jsonrpc_routes(handler, "/a2a")
else:
    routes += create_rest_routes(handler, path_prefix="/a2a")
keys = jwt.PyJWKClient(f"{job['issuer']}/oauth/jwks")


class Door:
    """Lets in who shows a token of the gateway's for this very agent."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and scope["path"].startswith("/a2a"):
            shown = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
            try:
                key = keys.get_signing_key_from_jwt(shown)
                jwt.decode(shown, key, algorithms=["ES256"], issuer=job["issuer"], audience=ORIGIN)
            except jwt.PyJWTError:
                return await JSONResponse({"error": "unauthorized"}, 401)(scope, receive, send)
        await self.app(scope, receive, send)


uvicorn.run(Door(Starlette(routes=routes)), host="127.0.0.1", port=job["port"], log_level="warning")
