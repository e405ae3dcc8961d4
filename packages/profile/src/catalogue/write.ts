import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listFile } from "./list.ts";

// `npm run catalogue`: the list of operations first, then, with it, the pages and the schemas.
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
writeFileSync(here("./all.ts"), listFile(readdirSync(here("./operations/"))));

const { cataloguePages } = await import("./pages.ts");
const folder = here("../../../../docs/catalogue/");
mkdirSync(folder, { recursive: true });
const pages = cataloguePages();
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(folder + name);
for (const [name, text] of pages) writeFileSync(folder + name, text);

await import("../schemas/write.ts");
