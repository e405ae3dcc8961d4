import type { ChangeKind } from "@countersign/gateway/trusted-contract";
import { isUnannounced, kindsOf } from "../changes/kinds.ts";
import { openChanges } from "../changes/stream.ts";
import { type CallProblem, load, PUBLIC_API, SESSION_CHANGED } from "./api.ts";

/** While the gateway tells of changes itself, a poll only finds what went missing on the way. */
const SLOW_MS = 30_000;
/** Without its word: as soon as a person would expect it. */
const POLL_MS = 2_000;

/** What is known of a path: the last good value and when it was that, and what is wrong right now. */
export interface Known {
  readonly value: unknown;
  readonly at: number | undefined;
  readonly problem: CallProblem | undefined;
}

const NOTHING: Known = { value: undefined, at: undefined, problem: undefined };

interface Source {
  readonly path: string;
  readonly listeners: Set<() => void>;
  known: Known;
  /** The value as text: an equal answer redraws nothing. */
  text: string;
  turn: number;
  waiting: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  dirty: boolean;
}

const sources = new Map<string, Source>();
let closeStream: (() => void) | undefined;
let live = false;

/** What a person decides on is never drawn from memory. */
function mayKeep(path: string): boolean {
  return !/^\/(approvals|authorizations|continuations)\//.test(path);
}

/** What is nobody's, such as the ways to sign in: it is read, and stays, while nobody is signed in. */
function isPublic(path: string): boolean {
  return path.startsWith(PUBLIC_API) || /^\/sign-in(\/|$)/.test(path);
}

function sourceOf(path: string): Source {
  const there = sources.get(path);
  if (there !== undefined) return there;
  const source: Source = {
    path,
    listeners: new Set(),
    known: NOTHING,
    text: "",
    turn: 0,
    waiting: false,
    timer: undefined,
    dirty: false,
  };
  sources.set(path, source);
  return source;
}

export function knownOf(path: string): Known {
  return sources.get(path)?.known ?? NOTHING;
}

/** Reads a path while anybody listens, and tells them when what is known of it has changed. */
export function follow(path: string, listener: () => void): () => void {
  const source = sourceOf(path);
  source.listeners.add(listener);
  if (source.listeners.size === 1) void look(source);
  return () => {
    source.listeners.delete(listener);
    if (source.listeners.size > 0) return;
    clearTimeout(source.timer);
    if (!mayKeep(path)) {
      source.turn++;
      sources.delete(path);
    }
    settleStream();
  };
}

export async function reload(path: string): Promise<void> {
  const source = sourceOf(path);
  const turn = ++source.turn;
  const answer = await load<unknown>(path);
  // An answer that a later question has overtaken says what was, not what is.
  if (turn !== source.turn) return;
  if (!answer.ok) {
    if (answer.reason === "unauthenticated") return signedOut();
    return set(source, { ...source.known, problem: answer.reason });
  }
  const text = JSON.stringify(answer.value);
  const { value } = text === source.text ? source.known : answer;
  source.text = text;
  set(source, { value, at: Date.now(), problem: undefined });
  settleStream();
}

function set(source: Source, known: Known): void {
  const { value, problem } = source.known;
  source.known = known;
  // When it was last good matters only beside a problem, which is a change of its own.
  if (known.value !== value || known.problem !== problem) for (const listener of source.listeners) listener();
}

/** One question at a time: a slow gateway must not be asked faster than it answers. */
async function look(source: Source): Promise<void> {
  clearTimeout(source.timer);
  if (source.waiting) {
    source.dirty = true;
    return;
  }
  if (document.visibilityState === "visible") {
    source.waiting = true;
    source.dirty = false;
    await reload(source.path);
    source.waiting = false;
  }
  if (source.listeners.size === 0) return;
  const calm = isPublic(source.path) || (live && source.known.problem === undefined && !isUnannounced(source.path));
  source.timer = setTimeout(() => void look(source), source.dirty ? 0 : calm ? SLOW_MS : POLL_MS);
}

function lookAt(kinds: readonly ChangeKind[] | "all"): void {
  for (const source of sources.values()) {
    const concerned = kinds === "all" || kindsOf(source.path).some((kind) => kinds.includes(kind));
    if (concerned && source.listeners.size > 0) void look(source);
  }
}

/** Nobody is signed in: what was read belongs to who was, and is forgotten. */
function signedOut(): void {
  for (const source of sources.values()) {
    if (isPublic(source.path)) continue;
    source.turn++;
    source.text = "";
    set(source, { value: undefined, at: undefined, problem: "unauthenticated" });
  }
  settleStream();
}

/** Somebody signed in or out in this page: nothing kept from before counts, and what is shown is read anew. */
function readAnew(): void {
  for (const source of [...sources.values()]) {
    if (source.listeners.size > 0) void look(source);
    else sources.delete(source.path);
  }
}

/** The stream is open while something is shown that somebody signed in has read. */
function settleStream(): void {
  const wanted = [...sources.values()].some(
    (s) => s.listeners.size > 0 && s.known.value !== undefined && !isPublic(s.path),
  );
  if (wanted === (closeStream !== undefined)) return;
  if (!wanted) {
    closeStream?.();
    closeStream = undefined;
    live = false;
    return;
  }
  closeStream = openChanges({
    live: () => {
      live = true;
      lookAt("all");
    },
    changed: lookAt,
    ended: () => lookAt("all"),
    lost: () => {
      const was = live;
      live = false;
      if (was) lookAt("all");
    },
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") lookAt("all");
});
addEventListener(SESSION_CHANGED, readAnew);
