import type { Ctx, Destination, RequestPattern } from "@countersign/plugin";
import { err, ok, type Result, type Secret, secret } from "@countersign/wire";
import { beforeEach, describe, expect, it } from "vitest";
import { TOKEN_SPARE_COMMIT_MS } from "./limits.ts";
import { httpSession } from "./session.ts";
import type { SessionTokens, TokenProblem } from "./tokens.ts";

const COMMIT = { method: "POST", path: "/api/orders" } as const;

let asked: string[];
/** What the site's API answers, in order; then always 200. */
let answers: number[];
let renewal: Result<Secret<string>, TokenProblem>;
let spares: number[];

beforeEach(() => {
  asked = [];
  answers = [];
  spares = [];
  renewal = ok(secret("a1"));
});

function session(
  lasting: Result<Secret<string>, TokenProblem> = ok(secret("a0")),
  commits: readonly RequestPattern[] = [COMMIT],
) {
  const tokens: SessionTokens = {
    lasting: async (spareMs) => {
      spares.push(spareMs);
      return lasting;
    },
    refused: async () => renewal,
    secrets: () => [],
  };
  const ctx: Partial<Ctx> = {
    withIdentity: async (request) => request,
    fetch: async (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
      return Response.json({}, { status: answers.shift() ?? 200 });
    },
  };
  const destination = { id: "site", origin: "https://site.example", commits } as unknown as Destination;
  return httpSession(ctx as Ctx, destination, tokens);
}

describe("a site's API that does not take its own token any more", () => {
  it("U48 a read is repeated once, with the renewed one", async () => {
    answers = [401];
    expect(await session().fetch("/api/me")).toMatchObject({ kind: "answer", status: 200 });
    expect(asked).toEqual(["GET /api/me Bearer a0", "GET /api/me Bearer a1"]);
  });

  it("a read that is refused twice is signed out, and not tried a third time", async () => {
    answers = [401, 401];
    expect(await session().fetch("/api/me")).toEqual({ kind: "signed_out" });
    expect(asked).toHaveLength(2);
  });

  it("REQ-7 what is not a read is never sent twice", async () => {
    answers = [401];
    await expect(session().fetch("/api/quotes", { method: "POST", body: {} })).rejects.toThrow(
      expect.objectContaining({ name: "SiteTrouble" }),
    );
    expect(asked).toEqual(["POST /api/quotes Bearer a0"]);
  });

  it("MFA-1 a renewal that the site refuses asks for the person; one that it cannot give does not", async () => {
    answers = [401, 401];
    renewal = err("sign_in");
    expect(await session().fetch("/api/me")).toEqual({ kind: "signed_out" });
    renewal = err("unavailable");
    await expect(session().fetch("/api/me")).rejects.toThrow(expect.objectContaining({ name: "SiteTrouble" }));
  });

  it("a token that ended is not sent at all", async () => {
    expect(await session(err("sign_in")).fetch("/api/me")).toEqual({ kind: "signed_out" });
    await expect(session(err("sign_in")).hold("/api/orders", { method: "POST" })).rejects.toThrow(
      expect.objectContaining({ name: "SiteTrouble" }),
    );
    expect(asked).toEqual([]);
  });

  it("a commit is held with one that lasts until it has left", async () => {
    const held = await session().hold("/api/orders", { method: "POST", body: {} });
    expect(spares).toEqual([TOKEN_SPARE_COMMIT_MS]);
    const token = held.request.headers.find(([name]) => name === "authorization")?.[1].reveal();
    expect(token).toBe("Bearer a0");
    expect(asked).toEqual([]);
  });
});

describe("a request that was held and does not leave", () => {
  it("what was made ready for it is put back only when nothing has left for certain", async () => {
    const done: string[] = [];
    const putBack = async () => void done.push("put back");
    const maybe = await session().hold("/api/orders", { method: "POST", body: {} }, putBack);
    await maybe.abandon();
    expect(done).toEqual([]);
    const unsent = await session().hold("/api/orders", { method: "POST", body: {} }, putBack);
    await unsent.abandon("unsent");
    expect(done).toEqual(["put back"]);
  });
});

describe("a site that takes reads and commits at one path", () => {
  const READ = "query Cart { activeOrder { code } }";

  it("APR-5 lets its declared reads go, and holds what is none", async () => {
    const graphql = session(ok(secret("a0")), [{ method: "POST", path: "/shop-api", exceptDocuments: [READ] }]);
    const ask = (query: string) => graphql.fetch("/shop-api", { method: "POST", body: { query } });
    expect(await ask(READ)).toMatchObject({ kind: "answer" });
    await expect(ask("mutation { pay }")).rejects.toThrow("a committing request is held, never fetched");
    await expect(graphql.hold("/shop-api", { method: "POST", body: { query: READ } })).rejects.toThrow(
      "only a declared commit is held",
    );
    expect(asked).toHaveLength(1);
  });
});
