import type { Exchange } from "../http/exchange.ts";
import { API_LIFE_MS, IDLE_MS } from "../limits.ts";
import { clinicBearerOf } from "./api/wire.ts";
import type { ClinicWorld } from "./world.ts";

// A clinic's screens stand open in waiting rooms: whoever asks for nothing for a while is signed out, in a browser and
// by the API.

/** Somebody who is signed in has asked for something: the time begins anew. */
export function touchClinic(world: ClinicWorld, exchange: Exchange): void {
  const now = world.now();
  const { sessions, tokens } = world.state;
  const bearer = clinicBearerOf(exchange);
  const token = bearer === undefined ? undefined : tokens.get(bearer, now);
  if (bearer !== undefined && token !== undefined) {
    tokens.put(bearer, token, Math.min(now + IDLE_MS, token.endsAtMs));
    return;
  }
  const session = sessions.get(exchange.sid, now);
  if (session?.stage === "signed_in") sessions.put(exchange.sid, session, now + IDLE_MS);
}

/** A program signs in: for a while if it is idle, and for no longer than a day's work if it is not. */
export function keepToken(world: ClinicWorld, token: string): number {
  const now = world.now();
  const endsAtMs = now + API_LIFE_MS;
  world.state.tokens.put(token, { endsAtMs }, now + IDLE_MS);
  world.state.issued = [...world.state.issued, token];
  return endsAtMs;
}
