import { mkdirSync } from "node:fs";
import corpus from "@countersign/profile/deceptive-texts" with { type: "json" };
import { type JsonObject, plainText, revealText } from "@countersign/wire";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";
import { kindOf, replaceTexts } from "./deceptive/kinds.ts";
import { stringMembers } from "./deceptive/members.ts";
import { approvalView, ORDER_TERMS } from "./fake/records.ts";

const executable = findBrowser();
const PICTURES = process.env["COUNTERSIGN_PICTURES"];
const TEXTS = corpus.texts.filter((t) => t.kind === "text" && t.id !== "long");
/** All of the corpus in one text, so that each page is looked at once. */
const WORST = TEXTS.map((t) => t.text).join(" ¦ ");
/** A record refuses control characters other than the newline before anybody draws it (decisions on text). */
const RECORDED = TEXTS.filter((t) => !Array.from(t.text).some((c) => (c < " " && c !== "\n") || c === "\u007f"))
  .map((t) => t.text)
  .join(" ¦ ");
/** Beside other texts a few are plain: Bengali digits beside Bengali letters, a mark on a letter. */
const NEVER = TEXTS.flatMap((t) => t.never).filter(
  // The markup itself has line breaks.
  (each) => each !== "\n" && !plainText(revealText(WORST)).includes(each),
);
const HOST = "https://p\u0430ypal.example";
const PAGES = [
  ...[
    "/",
    "/tasks",
    "/consents",
    "/accounts",
    "/agents",
    "/receipts",
    "/authorities",
    "/practice",
    "/more",
    "/passkeys",
  ],
  ...[
    "/agents/agent_new",
    "/agents/agent_old",
    "/consents/cons_asked",
    "/consents/cons_granted",
    "/consents/cons_revoked",
  ],
  ...[
    "/continuations/cont_live",
    "/continuations/cont_form",
    "/continuations/cont_verify",
    "/continuations/cont_expired",
  ],
  ...["/approvals/act_pending", "/approvals/act_changed", "/approvals/act_done", "/approvals/act_expired"],
  ...["/tasks/task_pending", "/tasks/task_review", "/tasks/task_done", "/tasks/task_denied", "/tasks/task_restored"],
  ...["/receipts/task_done", "/receipts/task_over", "/receipts/task_review"],
];

it("U32 each string of the trusted contract is told apart: a text of others, a host, or the gateway's own", () => {
  const members = stringMembers();
  expect(members.length).toBeGreaterThan(100);
  expect(members.filter((member) => kindOf(member) === undefined)).toEqual([]);
});

describe.skipIf(executable === undefined)("U30 U31 U32 deceptive texts in every view", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterAll(async () => {
    await stage?.close();
  });

  async function picture(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await here.page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
  }

  describe("of everyday pages", () => {
    // One visit for all of them: a page's code is then compiled once.
    beforeAll(async () => {
      here = await visit(stage, { viewport: { width: 360, height: 740 } });
      await here.page.route("**/trusted/v1/**", async (route) => {
        if (route.request().url().endsWith("/changes")) return route.abort();
        const answer = await route.fetch();
        const body = await answer.text();
        if (body === "" || !(answer.headers()["content-type"] ?? "").includes("json"))
          return route.fulfill({ response: answer });
        return route.fulfill({ response: answer, json: replaceTexts(JSON.parse(body), WORST, HOST) });
      });
    });
    afterAll(async () => {
      await here?.close();
    });

    it.each(PAGES)("%s shows nothing raw, in no text, title or name", async (path) => {
      await here.go(path);
      await here.page.waitForLoadState("networkidle");
      await settled(here.page);
      expect(await rawIn(here.page), path).toEqual([]);
      expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} fits`).toBe(
        true,
      );
      await openAll(here.page);
      expect(await rawIn(here.page), `${path}, opened`).toEqual([]);
      await picture(`deceptive${path.replaceAll("/", "-")}`);
    });
  });

  describe("of a record and of a live view, a visit each", () => {
    afterEach(async () => {
      await here?.close();
    });

    const item = (title: string): JsonObject => ({ kind: "item", ref: "TL-200", title, quantity: 1, unit_minor: 4990 });
    const fields: Readonly<Record<string, (text: string) => { readonly terms: JsonObject; readonly shipTo?: string }>> =
      {
        "an item's title": (text) => ({ terms: { ...ORDER_TERMS, lines: [item(text)] } }),
        "the payee": (text) => ({ terms: { ...ORDER_TERMS, payee: text.slice(0, 250) } }),
        "the way to pay": (text) => ({ terms: { ...ORDER_TERMS, instrument: text } }),
        "the note": (text) => ({ terms: { ...ORDER_TERMS, note: text } }),
        "a reference": (text) => ({ terms: { ...ORDER_TERMS, fulfillment_ref: text } }),
        "the quote": (text) => ({ terms: { ...ORDER_TERMS, quote_ref: text } }),
        "the address": (text) => ({ terms: ORDER_TERMS, shipTo: text }),
      };
    it.each(Object.keys(fields))(
      "%s of a record: shown for what it is, the digest unchanged, and still to be decided",
      async (field) => {
        here = await visit(stage, { viewport: { width: 360, height: 640 } });
        const expiresAt = `${new Date(Date.now() + 14 * 60_000).toISOString().slice(0, 19)}Z`;
        const made = fields[field]?.(RECORDED) ?? { terms: ORDER_TERMS };
        const old = await approvalView({ id: "act_old", expiresAt });
        const change = { changed_from: old.action, changed_from_disclosures: old.disclosures };
        const view = await approvalView({ id: "act_field", expiresAt, ...made, change });
        here.fake.data.approvals.push(view);
        await here.go("/approvals/act_field");
        await here.page.getByRole("button", { name: "Approve and order" }).waitFor();
        await here.page.getByText(view.action_digest).waitFor();
        await openAll(here.page);
        expect(await rawIn(here.page)).toEqual([]);
        if (field !== "the payee") await here.page.getByText("U+202E").first().waitFor();
        expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      },
    );

    it("the live view's address, tabs and dialogs", async () => {
      here = await visit(stage);
      here.fake.live.frames = [stage.picture];
      await here.go("/continuations/cont_live");
      await expect.poll(() => here.fake.live.socket !== undefined, { timeout: 15_000 }).toBe(true);
      const tab = { id: 1, title: WORST, origin: HOST, shown: true };
      here.fake.say({ type: "location", origin: HOST, path: `/${WORST}`, trusted: false });
      here.fake.say({ type: "tabs", tabs: [tab, { ...tab, id: 2, shown: false }] });
      here.fake.say({ type: "dialog", kind: "prompt", text: WORST });
      await here.page.getByRole("alertdialog").waitFor();
      await here.page.getByText("xn--pypal-4ve.example").first().waitFor();
      expect(await rawIn(here.page)).toEqual([]);
    });
  });
});

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
}

/** The page's own checks (digests, passkeys) are done when nothing says that it loads. */
async function settled(page: Page): Promise<void> {
  await page.getByText("Loading…").first().waitFor({ state: "hidden" });
}

/**
 * What of the corpus stands raw in anything that a person or a screen reader gets, with what stands around it. What
 * somebody types or edits in a field stays as it is.
 */
async function rawIn(page: Page): Promise<readonly string[]> {
  const parts = await page.evaluate(() => {
    const names = [
      "title",
      "alt",
      "placeholder",
      "label",
      "download",
      "aria-label",
      "aria-description",
      "aria-valuetext",
    ];
    const read = document.body.cloneNode(true) as HTMLElement;
    for (const typed of read.querySelectorAll("textarea")) typed.remove();
    const all = [`title: ${document.title}`, `text: ${read.textContent}`];
    for (const element of read.querySelectorAll("*")) {
      for (const name of names) {
        const value = element.getAttribute(name);
        if (value !== null) all.push(`<${element.localName} ${name}>: ${value}`);
      }
    }
    return all;
  });
  return parts
    .flatMap((part) =>
      [...NEVER, "p\u0430ypal"].flatMap((each) => {
        const at = part.indexOf(each);
        return at < 0
          ? []
          : [
              `${JSON.stringify(each)} in ${JSON.stringify(part.slice(0, 40))} … ${JSON.stringify(part.slice(Math.max(0, at - 60), at + 20))}`,
            ];
      }),
    )
    .slice(0, 3);
}
