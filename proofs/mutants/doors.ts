import type { Mutant } from "./mutant.ts";

// The doors: OAuth, MCP, A2A, plugins, webhooks. One guard at a time, and the quickest run that notices.

const gateway = (file: string) => `packages/gateway/src/${file}`;
const mcp = (file: string) => `protocols/mcp/src/${file}`;
const a2a = (file: string) => `protocols/a2a/src/${file}`;
const mcpGuards = ["test/mcp-guards.test.ts"];
const STATE_TESTS = ["protocols/mcp/src/server/request-state.test.ts"];
const DOOR_TESTS = ["protocols/mcp/src/client/door.test.ts"];
const CARD_TESTS = ["protocols/a2a/src/card/read"];
const EXTENSION_TESTS = ["protocols/a2a/src/extensions"];
const WEBHOOK = "packages/client/src/webhook.ts";
const WEBHOOK_TESTS = ["packages/client/test/webhook.test.ts"];
const DOCUMENT = gateway("oauth/client-document.ts");
const DOCUMENT_TESTS = ["packages/gateway/src/oauth/client-documents.test.ts"];
const OUTSIDE = gateway("oauth/outside/verify.ts");
const OUTSIDE_TESTS = ["test/oauth-outside-issuer.test.ts", "-t", "U50"];
const LOAD = "packages/countersign/src/plugins/load.ts";
const LOAD_TESTS = ["packages/countersign/src/plugins/load.test.ts"];
const ROUTE_TESTS = ["protocols/mcp/test/client/client-route.test.ts"];

export const DOOR_MUTANTS: readonly Mutant[] = [
  {
    name: "a door answers under any host",
    file: gateway("http/server.ts"),
    find: '    return sendProblem(reply, { reason: "forbidden" });\n  });\n  app.setErrorHandler',
    replace: "    return undefined;\n  });\n  app.setErrorHandler",
    run: [...mcpGuards, "-t", "U36 refuses other hosts"],
  },
  {
    name: "a page of any origin may act at a door",
    file: gateway("http/contributed/serve.ts"),
    find: "if (origin !== undefined && origin !== core.issuer)",
    replace: "if (origin === undefined && origin !== undefined)",
    run: [...mcpGuards, "-t", "U36 refuses other hosts"],
  },
  {
    name: "a token for another audience counts",
    file: gateway("oauth/verify.ts"),
    find: 'if (only !== resource) return err("wrong_audience");',
    replace: "void only;",
    run: ["packages/gateway/src/oauth/verify.test.ts"],
  },
  {
    name: "a door takes the tokens of the API",
    file: gateway("http/contributed/serve.ts"),
    find: "port.authenticate(authorization, resource, ",
    replace: "port.authenticate(authorization, undefined, ",
    run: [...mcpGuards, "-t", "AUT-3 U50"],
  },
  {
    name: "a kept state is good for another caller",
    file: mcp("server/call.ts"),
    find: "canonicalJson([tenantId, personId, clientId, call.method, named])",
    replace: "canonicalJson([tenantId, personId, call.method, named])",
    run: STATE_TESTS,
  },
  {
    name: "a kept state is good for other arguments",
    file: mcp("server/call.ts"),
    find: "canonicalJson([tenantId, personId, clientId, call.method, named])",
    replace: "canonicalJson([tenantId, personId, clientId, call.method])",
    run: STATE_TESTS,
  },
  {
    name: "a kept state is good twice",
    file: mcp("server/request-state.ts"),
    find: "await call.store.insertUnique(",
    replace: "await (async (..._given: readonly unknown[]) => true)(",
    run: STATE_TESTS,
  },
  {
    name: "a kept state never ends",
    file: mcp("server/request-state.ts"),
    find: " && until > call.host.now();",
    replace: ";",
    run: STATE_TESTS,
  },
  {
    name: "a read that is asked again is another task",
    file: mcp("server/tools/operations.ts"),
    find: 'kept !== undefined && operation.effect === "read" ? ok(kept.taskId) : await admit(call, wish)',
    replace: "await admit(call, wish)",
    run: ["test/mcp-waiting.test.ts", "-t", "MFA-1 a read"],
  },
  {
    name: "a tasks method needs no capability",
    file: mcp("server/front.ts"),
    find: "if (!declaresTasks(message)) {",
    replace: "if (!declaresTasks(message) && id === undefined) {",
    run: ["test/mcp-waiting.test.ts", "-t", "needs its capability"],
  },
  {
    name: "somebody else speaks under the reserved prefix",
    file: a2a("extensions/judge.ts"),
    find: 'if (whose === "others" && isReservedExtension(uri))',
    replace: 'if (whose === "own" && isReservedExtension(uri) && uri === "")',
    run: EXTENSION_TESTS,
  },
  {
    name: "an extension stands on a card twice",
    file: a2a("extensions/judge.ts"),
    find: "if (seen.has(key))",
    replace: "if (seen.has(uri))",
    run: EXTENSION_TESTS,
  },
  {
    name: "params are looked at on top alone",
    file: a2a("extensions/credentials.ts"),
    find: "  return first(members, base);\n}\n\nfunction looks",
    replace: "  return undefined;\n}\n\nfunction looks",
    run: EXTENSION_TESTS,
  },
  {
    name: "a required extension need not be activated",
    file: a2a("server/negotiate.ts"),
    find: "return isMissing ?",
    replace: "return isMissing && extensions.length === 0 ?",
    run: ["protocols/a2a/src/server/negotiate.test.ts"],
  },
  {
    name: "an agent that requires what is not spoken is called",
    file: a2a("card/read/extensions.ts"),
    find: 'if (required && own === undefined) return err(cardProblem("extension_required", uri));',
    replace: "",
    run: CARD_TESTS,
  },
  {
    name: "a foreign card may publish credentials",
    file: a2a("card/read/extensions.ts"),
    find: "if (credential !== undefined)",
    replace: 'if (credential === "")',
    run: CARD_TESTS,
  },
  {
    name: "any signature of a card holds",
    file: a2a("card/read/signature.ts"),
    find: "return await crypto.subtle.verify(algorithm.verifying, key, bytes.value, new TextEncoder().encode(input));",
    replace: "return key !== undefined && input !== undefined;",
    run: CARD_TESTS,
  },
  {
    name: "a card without a signature is taken",
    file: a2a("card/read/judge.ts"),
    find: ' || rules.unsigned === "refused")) return verified;',
    replace: ")) return verified;",
    run: CARD_TESTS,
  },
  {
    name: "what nobody signed may decide about security",
    file: a2a("card/read/judge.ts"),
    find: 'if (uncovered !== undefined) return err(cardProblem("unsigned_member", uncovered));',
    replace: "void uncovered;",
    run: CARD_TESTS,
  },
  {
    name: "a card may become less safe",
    file: a2a("card/read/judge.ts"),
    find: 'if (less !== undefined) return err(cardProblem("downgrade", less));',
    replace: "void less;",
    run: CARD_TESTS,
  },
  {
    name: "a jku may lead anywhere",
    file: a2a("card/read/keys.ts"),
    find: "if (!url.ok || !origins.has(url.value.origin)) return [];",
    replace: "if (!url.ok) return [];",
    run: CARD_TESTS,
  },
  {
    name: "an agent is called wherever its card says",
    file: a2a("card/read/interfaces.ts"),
    find: "if (!origins.has(url.value.origin)) {",
    replace: "if (origins.size === 0) {",
    run: CARD_TESTS,
  },
  {
    name: "a push may go anywhere",
    file: gateway("push/pushes.ts"),
    find: "if (!pinned.ok) return false;",
    replace: "if (pinned.ok) return true;",
    run: ["test/a2a-guards.test.ts", "-t", "U51"],
  },
  {
    name: "a tool that has changed is called",
    file: mcp("client/session.ts"),
    find: "if (found === bound.digest) return tool;",
    replace: "if (found !== undefined) return tool;",
    run: [...ROUTE_TESTS, "-t", "another digest"],
  },
  {
    name: "a tool that commits is called as a read",
    file: mcp("client/session.ts"),
    find: "if (upstream.commits.includes(bound.name))",
    replace: "if (upstream.commits.length === 0)",
    run: [...ROUTE_TESTS, "-t", "bound as a commit"],
  },
  {
    name: "the library may send a commit",
    file: mcp("client/door.ts"),
    find: 'if (tool !== undefined && commits.includes(tool)) return stop("refused");',
    replace: "void commits;",
    run: DOOR_TESTS,
  },
  {
    name: "the library sends wherever it likes",
    file: mcp("client/door.ts"),
    find: "if (new URL(url).href !== endpoint.href || ",
    replace: "if (endpoint.href === '' || ",
    run: DOOR_TESTS,
  },
  {
    name: "any header goes upstream",
    file: mcp("client/door.ts"),
    find: "if (HEADERS.test(name)) headers.set",
    replace: "if (name !== '') headers.set",
    run: DOOR_TESTS,
  },
  {
    name: "a token of our own is made for ourselves",
    file: gateway("oauth/delegated.ts"),
    find: " || url.value.origin === issuer) return false;",
    replace: ") return false;",
    run: ["packages/gateway/src/oauth/delegated.test.ts"],
  },
  {
    name: "two agents can compare whom they know",
    file: gateway("oauth/delegated.ts"),
    find: 'JSON.stringify(["countersign pairwise subject/1", tenantId, personId, audience])',
    replace: 'JSON.stringify(["countersign pairwise subject/1", tenantId, personId])',
    run: ["packages/gateway/src/oauth/delegated.test.ts"],
  },
  {
    name: "a webhook may be old",
    file: WEBHOOK,
    find: 'if (ageMs > WEBHOOK_TOLERANCE_MS) return err("too_old");',
    replace: "",
    run: WEBHOOK_TESTS,
  },
  {
    name: "a webhook needs no signature",
    file: WEBHOOK,
    find: "if (!(await isSigned(key, signatures, id, timestamp, bytes)))",
    replace: "if (signatures === '')",
    run: WEBHOOK_TESTS,
  },
  {
    name: "a webhook is taken twice",
    file: WEBHOOK,
    find: 'return (await seen.add(id, now + WEBHOOK_LIFE_MS + 2 * WEBHOOK_TOLERANCE_MS)) ? ok(message) : err("replayed");',
    replace: "await seen.add(id, now + WEBHOOK_LIFE_MS + 2 * WEBHOOK_TOLERANCE_MS);\n  return ok(message);",
    run: WEBHOOK_TESTS,
  },
  {
    name: "a client's code goes to another site",
    file: DOCUMENT,
    find: "if (url.origin === new URL(clientId).origin) return true;",
    replace: "if (url.origin !== new URL(clientId).host) return true;",
    run: DOCUMENT_TESTS,
  },
  {
    name: "a client's document names another client",
    file: DOCUMENT,
    find: 'if (document["client_id"] !== clientId) return err("other_client_id");',
    replace: "",
    run: DOCUMENT_TESTS,
  },
  {
    name: "a client's document comes from inside",
    file: gateway("oauth/setting.ts"),
    find: 'setting?.documents === "loopback_too" ? "loopback_too" : "https"',
    replace: 'setting?.documents === "https" ? "https" : "loopback_too"',
    run: ["packages/gateway/src/oauth/setting.test.ts"],
  },
  {
    name: "an outside token for two counts",
    file: OUTSIDE,
    find: 'if (only !== resource) return err("wrong_audience");',
    replace: "void only;",
    run: OUTSIDE_TESTS,
  },
  {
    name: "an outside token needs no scope",
    file: OUTSIDE,
    find: 'if (typeof scope !== "string" || !scope.split(" ").includes(API_SCOPE)) return err("invalid");',
    replace: "void scope;",
    run: OUTSIDE_TESTS,
  },
  {
    name: "an outside token of any issuer counts",
    file: OUTSIDE,
    find: "      issuer: setting.issuer,\n      required",
    replace: "      required",
    run: OUTSIDE_TESTS,
  },
  {
    name: "an outside token may be of another kind",
    file: OUTSIDE,
    find: '      typ: "at+jwt",\n',
    replace: "",
    run: OUTSIDE_TESTS,
  },
  {
    name: "an outside subject that nobody named is somebody",
    file: OUTSIDE,
    find: "if (named === undefined) return undefined;",
    replace: "if (named === undefined) return firstPerson(core);",
    run: OUTSIDE_TESTS,
  },
  {
    name: "a plugin leads out of its folder",
    file: LOAD,
    find: 'if (way === "" || way.split(sep)[0] === ".." || resolve(root, way) !== file)',
    replace: 'if (way === "")',
    run: LOAD_TESTS,
  },
  {
    name: "a plugin that everybody can write is loaded",
    file: LOAD,
    find: "if ([root, file].some(",
    replace: "if ([root, file].every(",
    run: LOAD_TESTS,
  },
  {
    name: "a plugin is whatever somebody exports",
    file: LOAD,
    find: "if (isPlugin(exported)) return ok(exported);",
    replace: "if (isPlugin(exported) || exported !== null) return ok(exported as Plugin);",
    run: LOAD_TESTS,
  },
  {
    name: "a plugin's setting may be an address",
    file: "packages/countersign/src/plugins/settings.ts",
    find: "/^(@[a-z0-9][a-z0-9._-]*\\/)?[a-z0-9][a-z0-9._-]*$/,",
    replace: "/^./,",
    run: LOAD_TESTS,
  },
];
