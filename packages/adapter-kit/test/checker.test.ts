import { FAULTS, PROMISES, reportLines, runCheck } from "@countersign/adapter-kit";
import { assert } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { check } from "../src/template/check.ts";
import { billsList } from "../src/template/src/bills-list.ts";
import { PLANTED } from "./planted.ts";

describe("the adapter checker", () => {
  it("an adapter that keeps its promises passes, with every fault on", async () => {
    const report = await runCheck(check);
    expect(reportLines(report).join("\n")).toMatch(/no promise broken/);
    expect(report).toMatchObject({ passed: true, broken: [], not_tried: [], faults: FAULTS });
  });

  it.each(PLANTED.map((planted) => [planted.title, planted] as const))(
    "catches one that %s",
    async (_, { check: broken, promise, seen }) => {
      const report = await runCheck(broken);
      expect(report.passed).toBe(false);
      const said = report.broken.filter((one) => one.promise === promise).map((one) => one.seen);
      expect(said.join("\n"), reportLines(report).join("\n")).toMatch(seen);
    },
  );

  it("between them the broken ones break every promise", () => {
    const broken = PLANTED.map((planted) => planted.promise);
    expect(Object.keys(PROMISES).filter((name) => !broken.some((one) => one === name))).toEqual([]);
  });

  it("nothing that the report says holds a value of the site's", async () => {
    const report = await runCheck(PLANTED.find(({ title }) => title.startsWith("tells everybody"))?.check ?? check);
    expect(report.passed).toBe(false);
    expect(JSON.stringify(report)).not.toMatch(/token-|Alex|1,086/);
  });

  it("catches one with a way out of its own, by what the site has seen", async () => {
    let seen = 0;
    let reach: (path: string) => Promise<unknown> = async () => undefined;
    const watched = {
      ...check,
      operations: check.operations.slice(0, 1),
      open: async () => {
        const site = await check.open();
        const handle = async (request: Request) => {
          seen += 1;
          return (await site.handle?.(request)) ?? Response.error();
        };
        reach = (path) => handle(new Request(new URL(path, site.origin)));
        const reset = async () => {
          await site.reset();
          seen = 0;
        };
        return { ...site, handle, reset, seen: () => seen };
      },
    };
    expect((await runCheck(watched)).broken).toEqual([]);
    const [entry] = check.site.entries;
    assert(entry !== undefined, "the skeleton has an entry");
    const read: typeof billsList.read = async (ctx, session, params) => {
      await reach("/api/me");
      return billsList.read(ctx, session, params);
    };
    const entries = [{ ...entry, operations: [{ ...billsList, read }] }];
    const report = await runCheck({ ...watched, site: { ...check.site, entries } });
    expect(report.broken.map((one) => one.promise)).toContain("one_way_out");
  });

  it("what a site cannot bring about is said not to have been tried", async () => {
    const plain = {
      ...check,
      open: async () => {
        const { elsewhere: _, ...site } = await check.open();
        return { ...site, fault: () => false };
      },
    };
    const report = await runCheck(plain);
    expect(report.passed).toBe(true);
    expect(report.not_tried.map(({ fault }) => fault).sort()).toEqual([
      "act_elsewhere",
      "changed_terms",
      "ended_session",
      "ended_session",
      "ended_session",
      "second_factor",
    ]);
    expect(reportLines(report).join("\n")).toContain("Not tried:");
  });
});
