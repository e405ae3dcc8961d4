import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  build: { target: "es2024", sourcemap: false, modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});
