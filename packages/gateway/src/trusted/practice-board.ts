import type { PracticeView } from "./contract.ts";

/**
 * The switches and counters of a demonstration's own practice site, worked from the trusted interface. Only a
 * demonstration brings one; without it the gateway has no such route and the interface no such page.
 */
export interface PracticeBoard {
  view(): PracticeView;
  /** Turns a switch on for its next use, or off. False when there is no such switch. */
  set(id: string, on: boolean): boolean;
  /** Does something once. False when there is no such thing. */
  act(id: string): boolean;
}
