import { a2aPlugin } from "@countersign/a2a";
import { runExample } from "../home/run.ts";
import { agent } from "./agent.ts";

await runExample([a2aPlugin], agent);
