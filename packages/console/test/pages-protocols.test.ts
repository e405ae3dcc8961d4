import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";

const executable = findBrowser();
const PICTURES = process.env["CONSOLE_PICTURES"];

describe.skipIf(executable === undefined)("PLG-5 the Protocols page", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterAll(async () => {
    await stage?.close();
  });
  afterEach(async () => {
    await here?.close();
  });

  const section = (title: string) =>
    here.page.locator("section", { has: here.page.getByRole("heading", { name: title }) });
  const names = (title: string) => section(title).getByRole("heading", { level: 3 }).allTextContents();

  it("PLG-5 shows what is spoken here with versions, roles, state and points; what the catalogue lacks; what is not here", async () => {
    here = await visit(stage);
    await here.go("/protocols");
    await here.page.getByText("Model Context Protocol").first().waitFor();
    expect(await names("Spoken here (3)")).toEqual(["Agent2Agent Protocol", "Model Context Protocol", "Web Bot Auth"]);
    expect(await names("In the catalogue, and not spoken here (2)")).toEqual([
      "Personal Agent Consent & Trust",
      "Agentic Commerce Protocol",
    ]);
    const mcp = section("Spoken here (3)").getByRole("listitem").filter({ hasText: "Model Context Protocol" }).first();
    const text = await mcp.textContent();
    for (const part of ["In part", "2026-07-28, 2025-11-25", "takes calls", "mcp.extension.tasks"])
      expect(text).toContain(part);
    // A mistake worth showing: unknown to the catalogue, or known in other versions. Odd characters stand out.
    const unknown = section("Spoken here, and not in the catalogue (1)");
    expect(await unknown.textContent()).toContain("It names the entry lending-desk, which is not there.");
    expect(await unknown.textContent()).toContain("U+202E");
    expect(await section("Spoken here (3)").textContent()).toContain(
      "The catalogue lists other versions: draft-ietf-webbotauth-httpsig-protocol-00.",
    );
    expect([here.complaints, here.foreign]).toEqual([[], []]);
  });

  it("PLG-5 is reached by the keyboard alone, from the first page on", async () => {
    here = await visit(stage);
    await here.go("/");
    await here.page.getByRole("link", { name: "Protocols" }).focus();
    await here.page.keyboard.press("Enter");
    await here.page.getByText("Spoken here (3)").waitFor();
    expect(await here.page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    const link = here.page.getByRole("link", { name: "Agentic Commerce Protocol" });
    for (let tabs = 0; tabs < 10 && !(await link.evaluate((el) => el === document.activeElement)); tabs++)
      await here.page.keyboard.press("Tab");
    expect(await link.evaluate((el) => el === document.activeElement)).toBe(true);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("PLG-5 a gateway without any says so", async () => {
    here = await visit(stage);
    here.fake.mode = "empty";
    await here.go("/protocols");
    await here.page.getByText("speaks no protocol beside its own HTTP API").waitFor();
  });

  it.each([
    { name: "1280-light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    { name: "360-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark" },
  ] as const)("PLG-5 fits the screen: $name", async ({ name, ...look }) => {
    here = await visit(stage, look);
    await here.go("/protocols");
    await here.page.getByText("Spoken here (3)").waitFor();
    expect(await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    if (PICTURES !== undefined)
      await here.page.screenshot({ path: `${PICTURES}/protocols-${name}.png`, fullPage: true });
  });
});
