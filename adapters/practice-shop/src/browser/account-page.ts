import { SiteTrouble } from "@countersign/plugin";
import type { Attempt } from "@countersign/plugin/site";
import type { BrowserSession, Page } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import type { Profile } from "../shared/identity.ts";
import { type Fact, factOf } from "./orders-page.ts";
import { expectHeading, visit } from "./visit.ts";

export interface AccountLook {
  readonly heading: string;
  readonly facts: readonly Fact[];
  readonly lists: readonly { readonly heading: string; readonly items: readonly string[] }[];
}

/** The account as its own page shows it. */
export function readProfile(session: BrowserSession): Promise<Attempt<Profile>> {
  return visit(session, "/account", async (page) => ok(profileOf(await lookAtAccount(page))));
}

function lookAtAccount(page: Page): Promise<AccountLook> {
  return page.evaluate(() => {
    const text = (node: Node | null | undefined) => (node?.textContent ?? "").trim();
    return {
      heading: text(document.querySelector("main h1")),
      facts: [...document.querySelectorAll("main dl > div")].map((fact) => ({
        term: text(fact.querySelector("dt")),
        text: text(fact.querySelector("dd")),
        time: "",
      })),
      lists: [...document.querySelectorAll("main section")].map((section) => ({
        heading: text(section.querySelector("h2")),
        items: [...section.querySelectorAll("li")].map((item) => text(item)),
      })),
    };
  });
}

export function profileOf(look: AccountLook): Profile {
  expectHeading(look.heading, "Your account");
  return {
    name: factOf(look.facts, "Name").text,
    email: factOf(look.facts, "Email").text,
    addresses: itemsOf(look, "Addresses").map((item) => {
      const parts = /^([^:]+): (.+)$/s.exec(item);
      if (parts === null) throw new SiteTrouble("the shop shows an address that cannot be read");
      const [, label = "", text = ""] = parts;
      return { id: idOf(label), label, text };
    }),
    instruments: itemsOf(look, "Cards").map((label) => ({ id: idOf(label.replace(/^Card ending /, "card ")), label })),
  };
}

function itemsOf(look: AccountLook, heading: string): readonly string[] {
  const [list, ...others] = look.lists.filter((each) => each.heading === heading);
  if (list === undefined || others.length > 0) throw new SiteTrouble(`the shop does not show one list of ${heading}`);
  return list.items;
}

/** The account page shows no ids; the shop makes those of its checkout and API out of these labels. */
function idOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
