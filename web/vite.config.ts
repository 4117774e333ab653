import { defineConfig } from "vite";

// Names by content, so that the controller may let browsers keep the files for ever. No inline styles or scripts: the
// controller's Content-Security-Policy forbids them.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "assets/manifest.json",
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
