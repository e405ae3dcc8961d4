import type { BrowserContextOptions } from "playwright-core";
import type { Agent } from "./agent.ts";
import { deceptiveAgent, deceptiveDecision } from "./deception.ts";
import { fiftyAtOnce, tabDies, twoTabs } from "./decisions.ts";
import { everydayPages } from "./everyday.ts";
import type { Walk } from "./first-run.ts";
import { forwarded, previews } from "./links.ts";
import { firstScreen, weighScripts } from "./measures.ts";
import type { Stage } from "./stage.ts";

export interface Scenario {
  readonly title: string;
  run(stage: Stage, say: (line: string) => void): Promise<void>;
}

/** The agent that the later scenarios let order, and the order that waits; made once for a walk. */
const agents = new WeakMap<Walk, Promise<Agent>>();
const orders = new WeakMap<Walk, Promise<string>>();

function agentOf(walk: Walk): Promise<Agent> {
  const agent = agents.get(walk) ?? deceptiveAgent(walk);
  agents.set(walk, agent);
  return agent;
}

function waitingOrder(walk: Walk): Promise<string> {
  const order = orders.get(walk) ?? agentOf(walk).then((agent) => agent.order());
  orders.set(walk, order);
  return order;
}

export const scenarios: readonly Scenario[] = [
  {
    title: "desktop: from the printed link to the first approved purchase, by visible text alone",
    run: async (stage) => void (await stage.newcomer("desktop")),
  },
  {
    title: "desktop: every everyday page",
    run: async (stage) => {
      const walk = await stage.newcomer("desktop");
      await everydayPages(walk);
      walk.device.isClean();
    },
  },
  {
    title: "the first screen is there at once, and the scripts weigh little",
    run: async (stage, say) => {
      const { demo, device } = await stage.newcomer("desktop");
      const url = `${demo.issuer}/`;
      const signIn = {
        url,
        name: "sign-in",
        text: "Your passkey is all it takes",
        control: "Sign in with your passkey",
      };
      const inbox = { url, name: "inbox", text: "Nothing waits for you.", control: "Activity" };
      const signedIn: BrowserContextOptions = { storageState: await device.context.storageState() };
      await firstScreen(stage.browser, signIn, {}, say);
      await firstScreen(stage.browser, inbox, signedIn, say);
      weighScripts(say);
    },
  },
  {
    title: "a deceptive agent's name and purpose are shown for what they are",
    run: async (stage) => {
      const walk = await stage.newcomer("desktop");
      await agentOf(walk);
      await waitingOrder(walk);
      await deceptiveDecision(walk);
      walk.device.isClean();
    },
  },
  {
    title: "twenty previews of a decision's link and of a sign-in link decide and spend nothing",
    run: async (stage) => {
      const walk = await stage.newcomer("desktop");
      await previews(walk, await waitingOrder(walk));
    },
  },
  {
    title: "a forwarded link is unknown to another person who is signed in",
    run: async (stage) => {
      const walk = await stage.newcomer("desktop");
      await forwarded(walk, await waitingOrder(walk));
    },
  },
  {
    title: "fifty mixed decisions at once: one is stored",
    run: async (stage, say) => {
      const walk = await stage.newcomer("desktop");
      const one = await fiftyAtOnce(walk, await agentOf(walk), await waitingOrder(walk));
      orders.delete(walk);
      say(`        ${one} was first`);
    },
  },
  {
    title: "two tabs: one follows the other, and of two decisions at once both tell the same",
    run: async (stage) => {
      const walk = await stage.newcomer("desktop");
      await twoTabs(walk, await agentOf(walk));
      walk.device.isClean();
    },
  },
  {
    title: "a tab that dies in the middle of a decision: done once",
    run: async (stage, say) => {
      const walk = await stage.newcomer("desktop");
      say(`        ${await tabDies(walk, await agentOf(walk))}`);
    },
  },
  {
    title: "phone: from the printed link to the first purchase, approved by passkey, by visible text alone",
    run: async (stage) => void (await stage.newcomer("phone")),
  },
  {
    title: "phone: every everyday page",
    run: async (stage) => {
      const walk = await stage.newcomer("phone");
      await everydayPages(walk);
      walk.device.isClean();
    },
  },
];
