import { err, ok } from "@countersign/wire";
import { z } from "zod";
import type { PracticeBoard } from "../../trusted/practice-board.ts";
import { readBody } from "../json-body.ts";
import type { AddRoute } from "./trusted.ts";

const id = z.string().regex(/^[a-z_]{1,40}$/);
const boardBody = z.union([z.strictObject({ switch: id, on: z.boolean() }), z.strictObject({ act: id })]);

/** A demonstration's practice site: its counters, and the faults that it plays when it is asked to. */
export function registerPractice(add: AddRoute, board: PracticeBoard): void {
  add("GET", "/practice", async () => ok(board.view()));
  add("POST", "/practice", async (_person, request) => {
    const body = readBody(request, boardBody);
    if (!body.ok) return body;
    const done = "act" in body.value ? board.act(body.value.act) : board.set(body.value.switch, body.value.on);
    return done ? ok(board.view()) : err({ reason: "not_found" });
  });
}
