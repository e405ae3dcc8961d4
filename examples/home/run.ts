import type { Plugin } from "@countersign/plugin";
import { type Credential, openHome } from "./home.ts";

/** Runs an agent against a home of its own, and ends with 0 when the shop has taken exactly one order. */
export async function runExample(
  protocols: readonly Plugin[],
  agent: (gateway: string, credential: Credential, say: (line: string) => void) => Promise<void>,
): Promise<void> {
  const say = (line: string): void => console.log(line);
  const home = await openHome(protocols, say);
  try {
    await agent(home.gateway, home.credential, say);
    say(`The shop has taken ${home.orders()} order.`);
    process.exitCode = home.orders() === 1 ? 0 : 1;
  } finally {
    await home.close();
  }
}
