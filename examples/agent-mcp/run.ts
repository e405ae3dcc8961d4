import { mcpPlugin } from "@countersign/protocol-mcp";
import { runExample } from "../home/run.ts";
import { agent } from "./agent.ts";

await runExample([mcpPlugin], agent);
