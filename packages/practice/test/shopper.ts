import { type PracticeShop, startPracticeShop } from "../src/index.ts";

/** Noon on a day the tests agree on. */
export const OPENING_MS = Date.UTC(2026, 10, 30, 12, 0, 0);

export interface TestShop extends PracticeShop {
  readonly clock: { nowMs: number };
  /** Every wait the shop asked for. */
  readonly waits: number[];
}

/** A shop whose clock stands still and whose waits take no time. */
export async function openShop(options: { readonly currency?: string } = {}): Promise<TestShop> {
  const clock = { nowMs: OPENING_MS };
  const waits: number[] = [];
  const shop = await startPracticeShop({
    clock: () => clock.nowMs,
    sleep: async (ms) => {
      waits.push(ms);
    },
    seed: "tests",
    ...options,
  });
  return { ...shop, clock, waits };
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser as far as these tests need one: keeps the cookie, posts forms with their hidden token, follows nothing. */
export interface Shopper {
  readonly get: (path: string) => Promise<Page>;
  readonly post: (path: string, fields: Readonly<Record<string, string>>) => Promise<Page>;
  /** Takes the form token of a page, then posts to a path. */
  readonly submit: (page: string, path: string, fields: Readonly<Record<string, string>>) => Promise<Page>;
  readonly signIn: () => Promise<Page>;
}

export function csrfOf(text: string): string {
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

export function shopper(shop: PracticeShop): Shopper {
  let cookie = "";
  const send = async (path: string, init: RequestInit): Promise<Page> => {
    const response = await fetch(`${shop.origin}${path}`, {
      ...init,
      redirect: "manual",
      headers: { ...(cookie === "" ? {} : { cookie }), ...(init.headers as Record<string, string> | undefined) },
    });
    const set = response.headers.get("set-cookie");
    if (set) cookie = set.split(";")[0] ?? "";
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const get = (path: string) => send(path, {});
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    send(path, { method: "POST", body: new URLSearchParams(fields) });
  const submit = async (page: string, path: string, fields: Readonly<Record<string, string>>) =>
    post(path, { csrf: csrfOf((await get(page)).text), ...fields });
  return {
    get,
    post,
    submit,
    signIn: async () => {
      const { email, password } = shop.user;
      await submit("/sign-in", "/sign-in", { email, password });
      return await submit("/sign-in/verify", "/sign-in/verify", { code: shop.currentCode() });
    },
  };
}

export const CHECKOUT = { delivery: "standard", address: "home", instrument: "card-4242", note: "" };

/** Puts one lamp into the cart and posts the checkout form. */
export async function orderLamp(person: Shopper, fields: Partial<typeof CHECKOUT> = {}): Promise<Page> {
  await person.submit("/products/TL-200", "/cart", { sku: "TL-200", quantity: "1" });
  return await person.submit("/checkout", "/checkout", { ...CHECKOUT, ...fields });
}

/** Signs in at the API and returns a caller with the bearer token. */
export async function apiSignIn(shop: PracticeShop) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${shop.origin}/api/v1${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  const { email, password } = shop.user;
  const first = await call("POST", "/session", { email, password });
  const second = await call("POST", "/session/verify", { challenge: first.body.challenge, code: shop.currentCode() });
  const token: string = second.body.token;
  return {
    token,
    first,
    second,
    anonymous: call,
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(method, path, body, { authorization: `Bearer ${token}`, ...headers }),
  };
}
