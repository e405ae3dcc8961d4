import { signingKeyOf, signRequest } from "@countersign/web-bot-auth";

// The page's own code. The key is the platform's: made as not extractable, so that this page can sign with it and no
// script, this one included, can take it along.

const SIGNATURE_HEADERS = ["content-digest", "signature-agent", "signature-input", "signature"];

await main().catch((error: unknown) => put("end", `It did not work: ${String(error)}`));

async function main(): Promise<void> {
  const { shop } = (await (await fetch("/settings.json")).json()) as { readonly shop: string };
  const pair = await ownKey();
  const key = await signingKeyOf(pair);
  if (!key.ok) throw new Error(key.reason);
  put("key", key.value.keyId);
  put(
    "private",
    await crypto.subtle.exportKey("jwk", pair.privateKey).then(
      () => "worked, and must not",
      () => "refused by the browser",
    ),
  );
  // Whoever operates the agent lists the page's key in the directory. The page's own site does here.
  await fetch("/keys", { method: "POST", body: JSON.stringify(key.value.publicJwk) });

  const agent = { type: "directory", origin: location.origin } as const;
  const signed = async (request: Request) => {
    // Without a certificate on one machine; with real hosts the setting is left away.
    const answer = await signRequest(request, { key: key.value, agent, plainHttp: "loopback" });
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  };
  const look = () => new Request(`${shop}/catalogue?page=2`);
  const order = (quantity: number) =>
    new Request(`${shop}/orders`, { method: "POST", body: JSON.stringify({ sku: "tea", quantity }) });

  await call("Without a signature", look());
  const first = await signed(look());
  await call("Signed here", first.clone());
  await call("The same bytes once more", first);
  const tea = await signed(order(1));
  await call("An order, with its content signed", tea.clone());
  const again = await signed(order(1));
  await call("The order signed, and its content changed", new Request(again, { body: await order(200).text() }));
  const known = document.querySelector('li[data-code="200"]') !== null;
  put(
    "end",
    known ? "That was all." : "The shop read the directory a moment ago, without this key. Wait a minute, and reload.",
  );
}

/** Kept by the browser for this page, over a reload; still nothing that anybody could read. */
async function ownKey(): Promise<CryptoKeyPair> {
  const asked = indexedDB.open("signed-page", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("keys");
  const database = await done(asked);
  // A transaction of its own for each step: one ends while the platform makes a key.
  const keys = () => database.transaction("keys", "readwrite").objectStore("keys");
  const kept: CryptoKeyPair | undefined = await done(keys().get("own"));
  if (kept !== undefined) return kept;
  const pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])) as CryptoKeyPair;
  await done(keys().put(pair, "own"));
  return pair;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function call(what: string, request: Request): Promise<void> {
  const headers = SIGNATURE_HEADERS.flatMap((name) => {
    const value = request.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const answer = await fetch(request);
  const step = document.createElement("li");
  step.dataset["code"] = String(answer.status);
  const title = document.createElement("strong");
  title.textContent = what;
  const said = document.createElement("span");
  said.textContent = `${answer.status}  ${await answer.text()}`;
  step.append(title, said);
  if (headers.length > 0) {
    const sent = document.createElement("pre");
    sent.textContent = headers.join("\n");
    step.append(sent);
  }
  document.getElementById("steps")?.append(step);
}

function put(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place !== null) place.textContent = text;
}
