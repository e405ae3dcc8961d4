import { assert, isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import { until } from "./http.ts";
import { type Person, pageHeaders } from "./person.ts";

/**
 * A page stands still for a person's eye when no new picture has come for this long. Well below the half second of a
 * caret that blinks, each blink being a picture: near it, whoever asks every quarter of a second asks always too early.
 */
const STILL_MS = 200;

// Node's own socket takes headers, as a browser sets them; the type of the web's socket does not say so.
const Socket = WebSocket as unknown as new (
  url: string,
  init: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/** The live view as the trusted interface's page has it: pictures in, keys out. */
export class LiveWindow {
  /** Everything but pictures that the gateway sent here. */
  readonly told: string[] = [];
  readonly pictures: Uint8Array[] = [];
  /** With which code the gateway has closed it. */
  readonly ended: Promise<number>;
  readonly #socket: WebSocket;
  #path = "";
  #pictureOfPath = false;
  #lastPictureMs = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    this.ended = new Promise((resolve) =>
      socket.addEventListener("close", ({ code }) => resolve(code), { once: true }),
    );
    socket.addEventListener("message", ({ data }) =>
      data instanceof ArrayBuffer ? this.#picture(new Uint8Array(data)) : this.#message(String(data)),
    );
  }

  /** @param change headers that another page would have sent. */
  static async open(person: Person, ref: string, change: Readonly<Record<string, string>> = {}): Promise<LiveWindow> {
    const { issuer } = person.world;
    const { origin = "" } = pageHeaders(issuer);
    const url = `${issuer.replace(/^http/, "ws")}/trusted/v1/continuations/${ref}/live`;
    const socket = new Socket(url, { headers: { cookie: person.cookie, origin, ...change } });
    const window = new LiveWindow(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error("the live view does not open")), { once: true });
    });
    return window;
  }

  get path(): string {
    return this.#path;
  }

  /** Waits until the site shows the page and its picture stands still. */
  async shows(path: string): Promise<void> {
    await until(
      async () => this.#path,
      (shown) => shown === path && this.#pictureOfPath && performance.now() - this.#lastPictureMs > STILL_MS,
      `the live view at ${path}`,
      60_000,
    );
  }

  /** How often the page has moved; a form that comes back with a complaint moves it to where it is. */
  get moves(): number {
    return this.told.filter((text) => text.includes('"type":"location"')).length;
  }

  /** Types on the keyboard, character by character. */
  type(text: string): void {
    for (const key of text) this.press(key);
  }

  press(key: string): void {
    const base = { type: "key", key, code: "", shift: false, ctrl: false, alt: false, meta: false };
    for (const action of ["down", "up"]) this.#socket.send(JSON.stringify({ ...base, action }));
  }

  /** Anything straight to the socket, as a page of somebody's own making could send it. */
  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Waits until the gateway has told something that holds these members. */
  async hears(members: JsonObject): Promise<void> {
    await until(
      async () => this.told.map((text) => JSON.parse(text) as JsonObject),
      (said) => said.some((each) => Object.entries(members).every(([name, value]) => each[name] === value)),
      `the live view says ${JSON.stringify(members)}`,
      60_000,
    );
  }

  close(): void {
    this.#socket.close();
  }

  #message(text: string): void {
    this.told.push(text);
    const parsed = parseJson(text);
    assert(parsed.ok && isJsonObject(parsed.value), "the gateway's messages are JSON objects");
    const { type, path }: JsonObject = parsed.value;
    if (type !== "location" || typeof path !== "string") return;
    this.#path = path;
    this.#pictureOfPath = false;
  }

  #picture(bytes: Uint8Array): void {
    const headEnds = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const head = parseJson(new TextDecoder().decode(bytes.subarray(4, headEnds)));
    assert(head.ok && isJsonObject(head.value), "a picture has its head");
    this.pictures.push(bytes.subarray(headEnds));
    this.#pictureOfPath = true;
    this.#lastPictureMs = performance.now();
    this.#socket.send(JSON.stringify({ type: "ack", id: head.value["id"] ?? 0 }));
  }
}

export interface Typed {
  readonly password: string;
  readonly code: string;
  /** Every text that reached the person's page meanwhile. */
  readonly told: readonly string[];
  readonly pictures: number;
}

/** Signs in at the shop's own page in the live view, as a person does (MFA-2), and says that it is done. */
export async function signInLive(person: Person, ref: string): Promise<Typed> {
  const { user, currentCode } = person.world.shop;
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200 && begun.json["mode"] === "live", `the live view begins: ${begun.text}`);
  const window = await LiveWindow.open(person, ref);
  try {
    await window.shows("/sign-in");
    window.type(user.email);
    window.press("Tab");
    window.type(user.password);
    window.press("Enter");
    await window.shows("/sign-in/verify");
    const code = currentCode();
    window.type(code);
    window.press("Enter");
    await window.shows("/account");
    const done = await person.post(`/continuations/${ref}/complete`);
    assert(done.json["outcome"] === "connected", `the shop is connected: ${done.text}`);
    const told = [begun.text, ...window.told, done.text];
    return { password: user.password, code, told, pictures: window.pictures.length };
  } finally {
    window.close();
  }
}
