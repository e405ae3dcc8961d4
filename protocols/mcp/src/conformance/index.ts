export { mcpPlugin } from "../plugin.ts";
export { conformancePlugin } from "./fixture.ts";
