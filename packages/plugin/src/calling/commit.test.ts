import type { ActionRecord } from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import type { Answer } from "../seams/session.ts";
import { type CommitBinding, commitBinding } from "./bindings.ts";
import { boundCommit } from "./commit.ts";
import { findEntry } from "./read-back.ts";

const DIGEST = "A".repeat(43);
const call = (name: string) => ({ name, digest: DIGEST });
const binding = (more: Partial<CommitBinding["read_back"]> = {}): CommitBinding =>
  commitBinding.parse({
    operation: "x.do",
    terms: { call: call("ask"), terms: { total: { $from: "/answer/total" } } },
    commit: {
      call: call("do"),
      confirmed: {
        when: [{ value: { $from: "/answer/what" }, is: { $from: "/parameters/what" } }],
        confirmation: { $from: "/answer/id" },
        result: { id: { $from: "/answer/id" } },
      },
      refused: [{ when: [{ value: { $from: "/answer/code" }, one_of: ["gone", "sold_out"] }], why: "it is gone" }],
    },
    read_back: {
      call: call("list"),
      each: "/answer/all",
      id: "/item/id",
      at: "/item/at",
      match: [{ value: { $from: "/item/what" }, is: { $from: "/parameters/what" } }],
      found: { confirmation: { $from: "/item/id" }, result: { id: { $from: "/item/id" } } },
      ...more,
    },
  });

const record = { parameters: { what: "lamp" }, terms: { total: 5 } } as unknown as ActionRecord;
const answer = { status: 200, headers: [], body: new Uint8Array() } satisfies Answer;
const recognise = (read: { kind: "answer" | "error"; value: Json } | { kind: "unknown" }) =>
  boundCommit(binding(), () => read).recognise(answer, record);

describe("STA-4 what an answer to a commit means", () => {
  it("is a confirmation when everything that was bound is there", () => {
    expect(recognise({ kind: "answer", value: { id: "7", what: "lamp" } })).toMatchObject({
      kind: "confirmed",
      confirmation: "7",
      result: { id: "7" },
    });
  });

  it.each<[string, Parameters<typeof recognise>[0]]>([
    ["it is about something else", { kind: "answer", value: { id: "7", what: "bell" } }],
    ["a member is missing", { kind: "answer", value: { what: "lamp" } }],
    ["the confirmation is no text", { kind: "answer", value: { id: 7, what: "lamp" } }],
    ["it is an error that nobody described", { kind: "error", value: { code: "try_later" } }],
    ["it is an error without words", { kind: "error", value: {} }],
    ["a refusal comes as a success", { kind: "answer", value: { code: "gone" } }],
    ["it cannot be read", { kind: "unknown" }],
  ])("is unknown when %s", (_name, read) => {
    expect(recognise(read)).toEqual({ kind: "unknown" });
  });

  it("is a refusal when the operator described it", () => {
    expect(recognise({ kind: "error", value: { code: "sold_out" } })).toEqual({ kind: "refused", why: "it is gone" });
  });
});

describe("STA-3 which entry is the one", () => {
  const find = (
    all: readonly JsonObject[],
    known: readonly string[] = [],
    more: Partial<CommitBinding["read_back"]> = {},
  ) =>
    findEntry(
      binding(more).read_back,
      { parameters: { what: "lamp" }, terms: {}, answer: { all: [...all] } },
      known,
      "2026-11-30T12:00:00Z",
    );
  const entry = (id: string, at = "2026-11-30T12:00:01Z", what = "lamp") => ({ id, at, what });

  it("one that was not there before", () => {
    expect(find([entry("1"), entry("2")], ["1"])).toMatchObject({ kind: "found", confirmation: "2" });
  });

  it("never one from long before, whatever was known", () => {
    expect(find([entry("1", "2026-11-30T11:00:00Z")])).toMatchObject({ kind: "unclear" });
  });

  it("neither of two", () => {
    expect(find([entry("1"), entry("2")])).toMatchObject({ kind: "unclear" });
  });

  it("none is nothing, unless the operator says that it is", () => {
    expect(find([entry("1", undefined, "bell")])).toMatchObject({ kind: "unclear" });
    expect(find([], [], { absent: "not_done" })).toEqual({ kind: "absent" });
  });

  it("a list that cannot be read shows nothing, even so", () => {
    const scope = { parameters: { what: "lamp" }, answer: { all: "none" } };
    expect(findEntry(binding({ absent: "not_done" }).read_back, scope, [], "2026-11-30T12:00:00Z").kind).toBe(
      "unclear",
    );
    expect(find([{ what: "lamp" }], [], { absent: "not_done" }).kind).toBe("unclear");
  });

  it("entries of a list without their id are refused when they are bound", () => {
    const { id: _id, ...rest } = binding().read_back;
    expect(commitBinding.safeParse({ ...binding(), read_back: rest }).success).toBe(false);
  });
});
