import { PATIENT_NUMBER, type PracticeClinic, startPracticeClinic } from "@countersign/practice";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLongList } from "../../adapters/practice-clinic/src/browser/long-list.ts";

// The clinic's lists in a real browser, read by its adapter's own reading: with the long form of the table alone.
const COLUMNS = ["When", "What for", "With", "Where", "State", "Number", "Your own reference"];
const trouble = expect.objectContaining({ name: "SiteTrouble" });

/** Rows of the long form, beside those that every site has. */
export function clinicLists(): void {
  describe("practice-clinic by browser: its long lists", () => {
    let clinic: PracticeClinic;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      const found = findChromium(process.env);
      assert(found.ok, "a browser is needed");
      clinic = await startPracticeClinic();
      browser = await chromium.launch({ executablePath: found.value, args: ["--no-sandbox"] });
      page = await browser.newPage();
      await page.goto(`${clinic.origin}/sign-in`);
      await page.getByLabel("Patient number").fill(PATIENT_NUMBER);
      await page.getByLabel("Password").fill(clinic.user.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("tap this number").waitFor();
      clinic.control.answerPhone(clinic.control.shownNumber() ?? "");
      await page.waitForURL("**/appointments");
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await clinic?.close();
    });

    it.each([
      { width: 1280, height: 900 },
      { width: 360, height: 740 },
    ])("are read whole at $width px, though the document holds a few rows", { timeout: 60_000 }, async (size) => {
      await page.setViewportSize(size);
      await page.goto(`${clinic.origin}/appointments`);
      await page.getByRole("row").nth(2).waitFor();
      expect(await page.getByRole("row").count()).toBeLessThan(16);
      const rows = await readLongList(page, "Appointments", COLUMNS);
      expect(rows.map(({ cells }) => cells[5])).toEqual(clinic.control.appointments().map(({ number }) => number));
    });

    it("U27 are not read when their rows stop coming", { timeout: 60_000 }, async () => {
      clinic.control.stickLists();
      await page.goto(`${clinic.origin}/appointments`);
      await expect(readLongList(page, "Appointments", COLUMNS)).rejects.toEqual(trouble);
      clinic.control.clear("stuckList");
    });

    it("U27 are not read when a row is left out, or the list grows meanwhile", { timeout: 60_000 }, async () => {
      const altered = (change: (body: { total: number; rows: unknown[] }) => void) =>
        page.route("**/appointments/rows?**", async (route) => {
          const answer = await route.fetch();
          const body = await answer.json();
          if (Number(new URL(route.request().url()).searchParams.get("start")) > 0) change(body);
          await route.fulfill({ response: answer, json: body });
        });
      for (const change of [
        (body: { rows: unknown[] }) => body.rows.splice(3, 1),
        (body: { total: number }) => {
          body.total += 1;
        },
      ]) {
        await altered(change);
        await page.goto(`${clinic.origin}/appointments`);
        await expect(readLongList(page, "Appointments", COLUMNS)).rejects.toEqual(trouble);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      }
    });
  });
}
