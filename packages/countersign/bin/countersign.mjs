#!/usr/bin/env node
import { useCompileCache } from "./compile-cache.mjs";

useCompileCache(process.env);
await import("../src/main.ts");
