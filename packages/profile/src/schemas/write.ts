import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publishedSchemas } from "./schemas.ts";

const folder = fileURLToPath(new URL("../../schemas/", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, text] of publishedSchemas()) writeFileSync(folder + name, text);
