import type { BindingHost } from "@countersign/gateway";
import { bindingPoint, definePlugin, type Plugin } from "@countersign/plugin";
import {
  acceptedContent,
  completable,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { serveMcp } from "../server/binding.ts";
import { type Call, clientCan } from "../server/call.ts";
import { openState, type RequestState, sealState } from "../server/request-state.ts";

// What the official suite wants to find on a server, on our own serving stack: guards, token, front and kept state are
// those of the real door. For tests alone; no set of plugins that ships has it.

const ORDER = 200;
/** Lists are made anew for each request; nobody is told that one has changed. */
const NO_NEWS = { listChanged: false };
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const conformancePlugin: Plugin = definePlugin({
  manifest: {
    id: "test.mcp_conformance",
    version: "1",
    title: "The official suite's fixtures",
    opens: [],
    uses: [bindingPoint],
  },
  contribute(put) {
    const value = { id: "mcp", open: (host: BindingHost) => serveMcp(host, {}, fixtureServer) };
    put(bindingPoint, { id: "mcp", order: ORDER, value });
  },
});

const text = (said: string) => ({ type: "text", text: said }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const resource = (uri: string, mimeType: string, said: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: said } }) as const;
const says = (said: string) => ({ content: [text(said)] });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function fixtureServer(call: Call): McpServer {
  const server = new McpServer(
    { name: "countersign-conformance", version: "1" },
    {
      capabilities: {
        tools: NO_NEWS,
        prompts: NO_NEWS,
        resources: NO_NEWS,
        completions: {},
        logging: {},
      },
      inputRequired: { legacyShim: false },
      requestState: { verify: (state) => openState(call, state) },
    },
  );
  contentTools(server);
  roundTools(server, call);
  prompts(server);
  resources(server);
  return server;
}

function contentTools(server: McpServer): void {
  const none = { inputSchema: z.strictObject({}), description: "A fixture" };
  server.registerTool("test_simple_text", none, () => says("This is a simple text response for testing."));
  server.registerTool("test_image_content", none, () => ({ content: [image] }));
  server.registerTool("test_audio_content", none, () => ({
    content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
  }));
  server.registerTool("test_embedded_resource", none, () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }));
  server.registerTool("test_multiple_content_types", none, () => ({
    content: [
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool("test_error_handling", none, () => ({
    ...says("This tool intentionally returns an error for testing"),
    isError: true,
  }));
  server.registerTool("test_tool_with_progress", none, async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await pause(20);
    }
    return says("Done");
  });
  server.registerTool("test_tool_with_logging", none, async (_args, ctx) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await ctx.mcpReq.log("info", data);
      await pause(20);
    }
    return says("Done");
  });
  server.registerTool("test_logging_tool", none, async (_args, ctx) => {
    await ctx.mcpReq.log("info", "Only for those who asked");
    return says("Done");
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(JSON_SCHEMA) },
    () => says("ok"),
  );
}

function roundTools(server: McpServer, call: Call): void {
  const none = { inputSchema: z.strictObject({}), description: "A fixture of several rounds" };
  const name = () => inputRequired.elicit({ message: "What is your name?", requestedSchema: NAME });
  const sampling = (ask: string, maxTokens: number) =>
    inputRequired.createMessage({ messages: [{ role: "user", content: text(ask) }], maxTokens });
  const state = (round: number) => sealState(call, { taskId: "fixture", round });
  const round = (ctx: ServerContext) => ctx.mcpReq.requestState<RequestState>()?.round ?? 0;
  const told = (ctx: ServerContext, key: string) => inputResponse(ctx.mcpReq.inputResponses, key);

  for (const tool of ["test_input_required_result_elicitation", "test_streaming_elicitation"])
    server.registerTool(tool, none, (_args, ctx) => {
      const given = acceptedContent(ctx.mcpReq.inputResponses, "user_name", NAME);
      return given === undefined
        ? inputRequired({ inputRequests: { user_name: name() } })
        : says(`Hello, ${given.name}!`);
    });
  server.registerTool("test_input_required_result_sampling", none, (_args, ctx) =>
    told(ctx, "capital_question").kind === "sampling"
      ? says("Thank you for the capital")
      : inputRequired({ inputRequests: { capital_question: sampling("What is the capital of France?", 100) } }),
  );
  server.registerTool("test_input_required_result_list_roots", none, (_args, ctx) => {
    const given = told(ctx, "client_roots");
    return given.kind === "roots"
      ? says(given.roots.map((root) => root.uri).join(" "))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const tool of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"])
    server.registerTool(tool, none, (_args, ctx) =>
      round(ctx) === 1
        ? says("state-ok")
        : inputRequired({
            inputRequests: { confirm: inputRequired.elicit({ message: "Please confirm", requestedSchema: OK }) },
            requestState: state(1),
          }),
    );
  server.registerTool("test_input_required_result_multiple_inputs", none, (_args, ctx) =>
    round(ctx) === 1
      ? says("All are here")
      : inputRequired({
          inputRequests: {
            user_name: name(),
            greeting: sampling("Generate a greeting", 50),
            client_roots: inputRequired.listRoots(),
          },
          requestState: state(1),
        }),
  );
  server.registerTool("test_input_required_result_multi_round", none, (_args, ctx) => {
    const steps = [
      { step1: inputRequired.elicit({ message: "Step 1: What is your name?", requestedSchema: NAME }) },
      { step2: inputRequired.elicit({ message: "Step 2: What is your favorite color?", requestedSchema: COLOR }) },
    ];
    const now = round(ctx);
    const next = steps[now];
    return next === undefined
      ? says("Both are here")
      : inputRequired({ inputRequests: next, requestState: state(now + 1) });
  });
  server.registerTool("test_input_required_result_capabilities", none, () =>
    inputRequired({
      inputRequests: clientCan(call).openUrl
        ? { user_name: name() }
        : { greeting: sampling("Generate a greeting", 50) },
    }),
  );
  server.registerTool("test_missing_capability", none, () =>
    inputRequired({ inputRequests: { greeting: sampling("Generate a greeting", 50) } }),
  );
}

function prompts(server: McpServer): void {
  const user = <T>(content: T) => ({ role: "user" as const, content });
  server.registerPrompt("test_simple_prompt", { description: "A fixture" }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  const argument = () => completable(z.string(), () => ["paris", "park", "party"]);
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A fixture", argsSchema: z.object({ arg1: argument(), arg2: argument() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A fixture", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, "text/plain", "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A fixture" }, () => ({
    messages: [user(image), user(text("Please analyze the image above."))],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "A fixture" }, (ctx) => {
    const given = acceptedContent(ctx.mcpReq.inputResponses, "user_context", CONTEXT);
    if (given !== undefined) return { messages: [user(text(given.context))] };
    const ask = inputRequired.elicit({ message: "What context should the prompt use?", requestedSchema: CONTEXT });
    return inputRequired({ inputRequests: { user_context: ask } });
  });
}

function resources(server: McpServer): void {
  const plain = { mimeType: "text/plain", description: "A fixture" };
  server.registerResource("static-text", "test://static-text", plain, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: "image/png" }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

const NAME = z.object({ name: z.string() });
const COLOR = z.object({ color: z.string() });
const OK = z.object({ ok: z.boolean() });
const CONTEXT = z.object({ context: z.string() });
/** Beside what is written here: conditions, as text, since an object with a `then` is taken for a promise. */
const CONDITIONS: object = JSON.parse(
  '{"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]}}',
);
const JSON_SCHEMA = {
  ...CONDITIONS,
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  additionalProperties: false,
} as const;
