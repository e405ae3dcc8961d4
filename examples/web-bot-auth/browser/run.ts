import { once } from "node:events";
import { openBrowserExample } from "./site.ts";

const example = await openBrowserExample();
console.log(`EX-10  A request signed in the page\n\nOpen ${example.url} in a browser; Ctrl+C ends it.`);
await once(process, "SIGINT");
await example.close();
