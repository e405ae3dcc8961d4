"""A foreign A2A client that buys at the gateway: reads the card, proposes, follows the task."""
import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import ClientConfig, create_client
from a2a.types import a2a_pb2
from google.protobuf.json_format import MessageToDict, ParseDict


def say(**facts):
    print(json.dumps(facts), flush=True)


def message(data):
    wish = {"message": {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"data": data}]}}
    return ParseDict(wish, a2a_pb2.SendMessageRequest())


async def main(job):
    headers = {"authorization": f"Bearer {job['token']}"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        config = ClientConfig(httpx_client=http, supported_protocol_bindings=[job["binding"]], use_client_preference=True)
        client = await create_client(job["gateway"], client_config=config)
        card = MessageToDict(client._card) if hasattr(client, "_card") else {}
        say(step="card", name=card.get("name"), signed=len(card.get("signatures", [])))
        task_id = None
        states = []
        async for piece in client.send_message(message(job["wish"])):
            moved = MessageToDict(piece)
            status = moved.get("task", moved.get("statusUpdate", {}))
            task_id = task_id or status.get("id") or status.get("taskId")
            state = status.get("status", {}).get("state")
            if state and (not states or states[-1] != state):
                states.append(state)
                say(step="moved", state=state, task_id=task_id)
            if "artifactUpdate" in moved:
                say(step="artifact", id=moved["artifactUpdate"]["artifact"]["artifactId"])
        task = MessageToDict(await client.get_task(a2a_pb2.GetTaskRequest(id=task_id)))
        say(step="ended", state=task["status"]["state"], artifacts=[a["artifactId"] for a in task.get("artifacts", [])])


asyncio.run(main(json.load(sys.stdin)))
