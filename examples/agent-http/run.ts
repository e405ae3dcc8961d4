import { runExample } from "../home/run.ts";
import { agent } from "./agent.ts";

await runExample([], agent);
