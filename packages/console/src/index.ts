import { fileURLToPath } from "node:url";

export { CONSOLE_STYLE_HASHES } from "./csp.ts";

/** The built pages; absent until the console has been built. */
export const CONSOLE_DIST: string = fileURLToPath(new URL("../dist", import.meta.url));

/** Names the approval page in approvals (`surface.version`). */
export { CONSOLE_VERSION } from "./version.ts";
