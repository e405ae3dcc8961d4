import { isJsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";

const executable = findBrowser();
const PHONE = { viewport: { width: 360, height: 740 } };

describe.skipIf(executable === undefined)("decisions in a browser", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterAll(async () => {
    await stage?.close();
  });
  const decisions = () => here.fake.posts.filter((p) => p.path.endsWith("/decision"));

  it("APR-6 a double click on the approving button posts one decision, with the digests of the record that was drawn", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    const approve = here.page.getByRole("button", { name: "Approve and order" });
    await approve.waitFor();
    const terms = await here.page.getByRole("region", { name: "Terms" }).boundingBox();
    const button = await approve.boundingBox();
    expect((button?.y ?? 0) >= (terms?.y ?? 0) + (terms?.height ?? 0), "the button comes after the terms").toBe(true);
    await approve.dblclick();
    await here.page.getByText("You approved this.").waitFor();
    const view = here.fake.data.approvals.find((a) => a.action_id === "act_pending");
    const hidden = view?.action["private"];
    expect(decisions()).toEqual([
      {
        path: "/approvals/act_pending/decision",
        body: {
          decision: "approved",
          action_digest: view?.action_digest,
          surface: {
            version: "0.2.0",
            display_digest: hidden !== undefined && isJsonObject(hidden) ? hidden["display_text"] : "",
          },
        },
      },
    ]);
    expect(here.complaints).toEqual([]);
    await here.close();
  });

  it("follows the task to its outcome on the same page", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    await here.page.getByRole("button", { name: "Approve and order" }).click();
    await here.page.getByText("Being done", { exact: true }).waitFor();
    const at = here.fake.data.approvals.findIndex((a) => a.action_id === "act_pending");
    const view = here.fake.data.approvals[at];
    if (view !== undefined) here.fake.data.approvals[at] = { ...view, task_state: "succeeded" };
    here.fake.changes.say("changed", { kinds: ["approvals", "tasks"] });
    await here.page.getByText("Done", { exact: true }).first().waitFor();
    await here.close();
  });

  it("APR-2 amount, payee, item, quantity, account and time left stand on a phone's first screen, not cut", async () => {
    here = await visit(stage, PHONE);
    await here.go("/approvals/act_pending");
    for (const text of ["49.90 EUR", "shop.example", "Trail Lamp 200", "Alex Example · Practice shop"]) {
      const box = await here.page.getByText(text).first().boundingBox();
      expect(box !== null && box.y + box.height <= PHONE.viewport.height, `${text} is on the first screen`).toBe(true);
    }
    const left = await here.page.getByRole("timer").boundingBox();
    expect(left !== null && left.y + left.height <= PHONE.viewport.height).toBe(true);
    await here.close();
  });

  it("a record that is not what its digest says is offered for denial only", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_tampered");
    await here.page.getByRole("alert").waitFor();
    expect(await here.page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    expect(await here.page.getByText("9.90 EUR").count()).toBe(0);
    await here.page.getByRole("button", { name: "Deny" }).click();
    await here.page.getByText("You denied this. Nothing was done.").waitFor();
    await here.close();
  });

  it("U30 U31 U34 shows hidden characters for what they are, warns of an encoded host, and cuts nothing", async () => {
    here = await visit(stage, PHONE);
    await here.go("/approvals/act_deceptive");
    const terms = here.page.getByRole("region", { name: "Terms" });
    for (const text of ["U+202E", "U+200B", "U+E0100", "U+00A0×400", "U+000A", "xn--shp-tdd.example"]) {
      await terms.getByText(text).first().waitFor();
    }
    await terms
      .getByText(/several alphabets|letter by letter/)
      .first()
      .waitFor();
    await here.page.getByText("All of it: 2700 characters").click();
    expect(((await here.page.locator("details[open]").textContent()) ?? "").split("A very long note.").length - 1).toBe(
      150,
    );
    expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await here.close();
  });

  it("APR-4 says what is different from the record that was shown before", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_changed");
    const changes = here.page.getByRole("region", { name: "What is different from what you saw before" });
    await changes.getByText("was 44.90 EUR, is 49.90 EUR (5.00 EUR more)").waitFor();
    await here.close();
  });

  it("denies with a reason", async () => {
    here = await visit(stage);
    await here.go("/approvals/act_pending");
    await here.page.getByLabel("Reason for denying (optional)").fill("Too dear");
    await here.page.getByRole("button", { name: "Deny" }).click();
    await here.page.getByText("You denied this. Nothing was done.").waitFor();
    expect(decisions()[0]?.body).toMatchObject({ decision: "denied", reason: "Too dear" });
    await here.close();
  });

  it("CON-1 grants what was left of what was asked, and no amount above it", async () => {
    here = await visit(stage, PHONE);
    await here.go("/consents/cons_asked");
    const grant = here.page.getByRole("button", { name: "Grant", exact: true });
    await here.page.getByRole("radio", { name: /Alex Example/ }).waitFor();
    await here.page.getByText("through the site's API", { exact: true }).click();
    const amount = here.page.getByLabel("The most one action may cost (EUR)");
    await amount.fill("60.01");
    expect(await grant.isDisabled()).toBe(true);
    await amount.fill("45.5");
    await grant.dblclick();
    await here.page.getByText("Granted", { exact: true }).waitFor();
    const asked = decisions()[0]?.body;
    expect(decisions()).toHaveLength(1);
    expect(asked).toMatchObject({
      decision: "grant",
      account_ref: "acc_1",
      operations: ["retail.orders.list", "retail.order.submit"],
      routes: ["browser"],
      limits: { max_total_minor: 4550, currency: "EUR" },
    });
    await here.close();
  });

  it("CON-3 grants with limits of a period, payees, items and hours of the person's own", async () => {
    here = await visit(stage, PHONE);
    await here.go("/consents/cons_asked");
    await here.page.getByRole("radio", { name: /Alex Example/ }).waitFor();
    await here.page.getByText("More limits").click();
    await here.page.getByLabel("In any 24 hours, at most, in money").fill("100");
    await here.page.getByLabel("In any 24 hours, at most, actions").fill("0");
    const grant = here.page.getByRole("button", { name: "Grant", exact: true });
    expect(await grant.isDisabled()).toBe(true);
    await here.page.getByLabel("In any 24 hours, at most, actions").fill("2");
    await here.page.getByLabel("May only pay").fill("shop.example\n\n other.example ");
    await here.page.getByLabel("May only touch these items").fill("TL-200");
    await here.page.getByText("Only at certain hours").click();
    await here.page.getByLabel("Time zone").fill("Europe/Berlin");
    await here.page.getByLabel("To", { exact: true }).fill("00:00");
    await here.page.getByText("Friday", { exact: true }).click();
    expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await grant.click();
    await here.page.getByText("Granted", { exact: true }).waitFor();
    expect(decisions()[0]?.body).toMatchObject({
      limits: {
        max_total_minor: 6000,
        currency: "EUR",
        periods: { day: { max_total_minor: 10_000, currency: "EUR", max_actions: 2 } },
        payees: ["shop.example", "other.example"],
        items: ["TL-200"],
        hours: { zone: "Europe/Berlin", from: "08:00", to: "24:00", days: ["mon", "tue", "wed", "thu"] },
      },
    });
    await here.close();
  });

  it("CON-4 shows what a grant was used for, and narrows it without ever offering more", async () => {
    here = await visit(stage);
    await here.go("/consents/cons_granted");
    const usage = here.page.getByRole("region", { name: "What it was used for" });
    for (const text of ["2 actions", "€99.80", "€20.20, 1 action", "is being read back"])
      await usage.getByText(text).first().waitFor();
    expect(await usage.getByRole("link").count()).toBe(3);
    await here.page.getByText("Narrow this grant").click();
    const narrow = here.page.getByRole("button", { name: "Narrow", exact: true });
    await here.page.getByLabel("In any 24 hours, at most, in money").fill("120.01");
    expect(await narrow.isDisabled()).toBe(true);
    await here.page.getByLabel("In any 24 hours, at most, in money").fill("60");
    await here.page.getByLabel("May only touch these items").fill("TL-200\nTL-300");
    expect(await narrow.isDisabled()).toBe(true);
    await here.page.getByLabel("May only touch these items").fill("TL-200");
    await narrow.click();
    await here.page.getByText("The grant is narrower now.").waitFor();
    expect(here.fake.posts.at(-1)).toMatchObject({
      path: "/consents/cons_granted/narrow",
      body: {
        limits: {
          periods: { day: { max_total_minor: 6000, max_actions: 3 }, total: { max_actions: 20 } },
          payees: ["shop.example"],
          items: ["TL-200"],
          hours: { zone: "Europe/Berlin", from: "08:00", to: "20:00" },
        },
      },
    });
    await here.close();
  });

  it("CON-5 says after a revocation that an open submission is still read back", async () => {
    here = await visit(stage);
    await here.go("/consents/cons_revoked");
    await here.page.getByText("One submission is still open").waitFor();
    expect(await here.page.getByText("Narrow this grant").count()).toBe(0);
    await here.close();
  });

  it("CON-5 revokes with the sentence that says what revoking does not do", async () => {
    here = await visit(stage);
    await here.go("/consents/cons_granted");
    await here.page.getByRole("button", { name: "Revoke this grant" }).click();
    const dialog = here.page.getByRole("alertdialog");
    await dialog.getByText("cannot undo what was already submitted").waitFor();
    await dialog.getByText("what became of its own open submission").waitFor();
    await dialog.getByRole("button", { name: "Revoke this grant" }).click();
    await here.page.getByText("Revoked", { exact: true }).waitFor();
    await here.close();
  });

  it("lets an agent in, and adds a delivery address", async () => {
    here = await visit(stage);
    await here.go("/agents/agent_new");
    await here.page.getByRole("button", { name: "Accept" }).click();
    await here.page.getByText("Accepted", { exact: true }).waitFor();
    await here.go("/accounts");
    const alex = here.page.getByRole("region", { name: "Alex Example" });
    await alex.getByText("Add a delivery address").click();
    for (const [label, text] of [
      ["Name for this address", "Work"],
      ["Full name", "Alex Example"],
      ["Street and number", "1 Long Lane"],
      ["City", "Berlin"],
      ["Country", "DE"],
    ] as const)
      await alex.getByLabel(label).fill(text);
    await alex.getByRole("button", { name: "Save the address" }).click();
    await here.page.getByText("The address is saved.").waitFor();
    expect(here.fake.posts.at(-1)).toEqual({
      path: "/accounts/acc_1/details",
      body: {
        kind: "fulfillment",
        label: "Work",
        value: { full_name: "Alex Example", address_1: "1 Long Lane", city: "Berlin", country: "DE" },
      },
    });
    await here.close();
  });

  it("REQ-2 adds a telephone number and a home address, and says beside the field what is wrong with one", async () => {
    here = await visit(stage, PHONE);
    await here.go("/accounts");
    const alex = here.page.getByRole("region", { name: "Alex Example" });
    await alex.getByText("Add an e-mail address or telephone number").click();
    await alex.getByText("Whoever reads them can take your account over.").waitFor();
    await alex.getByText("Telephone number", { exact: true }).click();
    const number = alex.getByRole("textbox", { name: "Telephone number" });
    const name = alex.getByRole("textbox", { name: "Name for it" });
    const posted = here.fake.posts.length;
    const save = async (typed: string, called: string) => {
      await number.fill(typed);
      await name.fill(called);
      await alex.getByRole("button", { name: "Save it" }).click();
    };
    await save("086 123 4567", "New phone");
    await alex.getByText("Begin with + and the country’s number").waitFor();
    expect(await number.getAttribute("aria-invalid")).toBe("true");
    await save("+44 (0)20 7946 0958", "New phone");
    await alex.getByText("Leave out the (0)").waitFor();
    await save("+353 86 123 4567", "+353861234567");
    await alex.getByText("it tells what they must not know").waitFor();
    expect(here.fake.posts.length).toBe(posted);
    await save("+353 86 123-4567", "New phone");
    await alex.getByText("It is saved.").waitFor();
    expect(here.fake.posts.at(-1)).toEqual({
      path: "/accounts/acc_1/details",
      body: { kind: "contact", label: "New phone", value: { phone: "+353861234567" } },
    });
    await alex.getByText("Add a home or billing address").click();
    for (const [label, text] of [
      ["Name for this address", "New home"],
      ["Full name", "Alex Example"],
      ["Street and number", "1 Long Lane"],
      ["City", "Berlin"],
      ["Country", "Germany"],
    ] as const)
      await alex.getByLabel(label).fill(text);
    await alex.getByRole("button", { name: "Save the address" }).click();
    await alex.getByText("Write the country as two capital letters").waitFor();
    await alex.getByLabel("Country").fill("de");
    await alex.getByRole("button", { name: "Save the address" }).click();
    await alex.getByText("The address is saved.").waitFor();
    expect(here.fake.posts.at(-1)).toMatchObject({ body: { kind: "address", value: { country: "DE" } } });
    await here.close();
  });
});
