import { broken } from "./invariants.ts";
import { type Bounds, firstWorld, nameOf, type World } from "./model.ts";
import { live, type Next } from "./moves.ts";
import { outside } from "./people.ts";
import { type Rules, SHIPPED } from "./rules.ts";
import { working } from "./workers.ts";

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly ms: number;
  /** The task states that were met on the way: what was never met has not been proven. */
  readonly met: ReadonlySet<string>;
  /** The shortest way to what must not be, in words. */
  readonly violation?: { readonly what: string; readonly trace: readonly string[] };
}

export interface Progress {
  readonly depth: number;
  readonly states: number;
  readonly waiting: number;
}

/**
 * Breadth first and complete: every world that can be reached within the bounds is visited once, every move out of it
 * is checked, and at last it is checked that from each there is a way to where every task is settled.
 */
export function explore(
  bounds: Bounds,
  rules: Rules = SHIPPED,
  onDepth: (progress: Progress) => void = () => {},
): Explored {
  const begun = performance.now();
  const setting = { bounds, rules };
  const graph = newGraph();
  const numbers = new Map<string, number>();
  const first = firstWorld(bounds);
  numbers.set(nameOf(first), graph.add(NOWHERE, "", settledWorld(first)));
  let frontier: { readonly world: World; readonly number: number }[] = [{ world: first, number: 0 }];
  let depth = 0;
  const met = new Set<string>();
  const ended = (what?: string, from = NOWHERE, last?: string): Explored => ({
    states: numbers.size,
    transitions: graph.edges(),
    depth,
    ms: performance.now() - begun,
    met,
    ...(what === undefined ? {} : { violation: { what, trace: graph.trace(from, last) } }),
  });
  while (frontier.length > 0) {
    const found: typeof frontier = [];
    for (const { world, number } of frontier) {
      for (const next of moves(setting, world)) {
        const wrong = broken(bounds, world, next);
        if (wrong !== undefined) return ended(wrong, number, next.said);
        const name = nameOf(next.world);
        let target = numbers.get(name);
        if (target === undefined) {
          target = graph.add(number, next.said, settledWorld(next.world));
          numbers.set(name, target);
          for (const task of next.world.tasks) met.add(task.state);
          found.push({ world: next.world, number: target });
        }
        graph.connect(number, target);
      }
    }
    frontier = found;
    if (found.length > 0) depth += 1;
    onDepth({ depth, states: numbers.size, waiting: found.length });
  }
  const stuck = graph.firstWithoutWay();
  return stuck === undefined ? ended() : ended("from here no task can be settled any more", stuck);
}

function* moves(setting: { readonly bounds: Bounds; readonly rules: Rules }, world: World): Generator<Next> {
  yield* outside(setting, world);
  yield* working(setting, world);
}

function settledWorld(world: World): boolean {
  return world.tasks.every((task) => !live(task));
}

const NOWHERE = -1;
const CHUNK = 1 << 20;

/** Parents and words for traces, edges for the way back; numbers only, for there are millions. */
function newGraph() {
  const parents = newColumn();
  const words = newColumn();
  const froms = newColumn();
  const tos = newColumn();
  const settled: number[] = [];
  const said: string[] = [];
  const saidNumbers = new Map<string, number>();
  const wordOf = (text: string): number => {
    let number = saidNumbers.get(text);
    if (number === undefined) {
      number = said.push(text) - 1;
      saidNumbers.set(text, number);
    }
    return number;
  };
  return {
    add(parent: number, text: string, isSettled: boolean): number {
      words.push(wordOf(text));
      const number = parents.push(parent);
      if (isSettled) settled.push(number);
      return number;
    },
    connect(from: number, to: number): void {
      froms.push(from);
      tos.push(to);
    },
    edges: (): number => tos.length(),
    trace(from: number, last?: string): readonly string[] {
      const steps = last === undefined ? [] : [last];
      for (let at = from; at > 0; at = parents.at(at)) steps.push(said[words.at(at)] ?? "");
      return steps.reverse();
    },
    /** The first world from which no settled one can be reached: walks all edges backwards from the settled ones. */
    firstWithoutWay(): number | undefined {
      const count = parents.length();
      const starts = new Int32Array(count + 1);
      for (let e = 0; e < tos.length(); e += 1) starts[tos.at(e) + 1] = (starts[tos.at(e) + 1] ?? 0) + 1;
      for (let i = 0; i < count; i += 1) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
      const next = starts.slice();
      const sources = new Int32Array(tos.length());
      for (let e = 0; e < tos.length(); e += 1) {
        const to = tos.at(e);
        const place = next[to] ?? 0;
        sources[place] = froms.at(e);
        next[to] = place + 1;
      }
      const reached = new Uint8Array(count);
      const stack = settled.slice();
      for (const number of settled) reached[number] = 1;
      while (stack.length > 0) {
        const at = stack.pop() ?? 0;
        for (let i = starts[at] ?? 0; i < (starts[at + 1] ?? 0); i += 1) {
          const source = sources[i] ?? 0;
          if (reached[source] === 1) continue;
          reached[source] = 1;
          stack.push(source);
        }
      }
      const stuck = reached.indexOf(0);
      return stuck < 0 ? undefined : stuck;
    },
  };
}

function newColumn() {
  const chunks: Int32Array[] = [];
  let length = 0;
  return {
    push(value: number): number {
      if (length % CHUNK === 0) chunks.push(new Int32Array(CHUNK));
      const chunk = chunks[chunks.length - 1];
      if (chunk !== undefined) chunk[length % CHUNK] = value;
      length += 1;
      return length - 1;
    },
    at: (index: number): number => chunks[Math.floor(index / CHUNK)]?.[index % CHUNK] ?? 0,
    length: () => length,
  };
}
