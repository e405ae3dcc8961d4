"""A foreign MCP client that buys at the gateway: reads, proposes, waits. It is told what to do on standard input."""
import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

ENDS = {"succeeded", "denied", "expired", "failed", "cancelled"}


def say(**facts):
    print(json.dumps(facts), flush=True)


async def main(job):
    headers = {"authorization": f"Bearer {job['token']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(job["url"], http_client=http), mode=job["mode"]) as client:
            say(step="connected", protocol=str(client.protocol_version))
            tools = await client.list_tools()
            say(step="tools", names=sorted(tool.name for tool in tools.tools))

            async def call(name, arguments):
                answer = await client.call_tool(name, arguments)
                body = answer.structured_content
                if answer.is_error:
                    raise RuntimeError(f"{name}: {body}")
                return body

            read = await call("retail_orders_list", {**job["grant"], "parameters": {"limit": 5}})
            say(step="read", orders=len(read["destination_data"]["value"]["orders"]))
            task = await call("retail_order_submit", {**job["grant"], **job["order"]})
            say(step="proposed", task_id=task["task_id"], state=task["state"])
            again = await call("retail_order_submit", {**job["grant"], **job["order"]})
            say(step="again", task_id=again["task_id"])
            while task["state"] not in ENDS:
                task = await call("task_wait", {"task_id": task["task_id"]})
            receipt = await call("task_receipt", {"task_id": task["task_id"]})
            say(step="ended", state=task["state"], receipt_id=receipt["receipt_id"])


asyncio.run(main(json.load(sys.stdin)))
