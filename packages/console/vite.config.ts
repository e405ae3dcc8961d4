import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig(({ command }) => {
  // A build started by a test runner would inherit its NODE_ENV and ship React's development build.
  if (command === "build") process.env["NODE_ENV"] = "production";
  return {
    plugins: [react()],
    // Everything is a file of its own: the page's policy allows no inline script, no inline style and no `data:`.
    build: {
      target: "es2024",
      sourcemap: false,
      manifest: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: {
        // Our own packages do nothing when they are loaded: a page that needs one table of them gets no validator along.
        treeshake: {
          moduleSideEffects: [{ test: /[\\/]packages[\\/](profile|wire)[\\/]src[\\/]/, sideEffects: false }],
        },
      },
    },
  };
});
