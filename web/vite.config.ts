import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** A language is one file; `de.json?part=places` is one part of it, for a chunk of its own. */
const languageParts: Plugin = {
  name: "language-parts",
  enforce: "pre",
  resolveId(source) {
    const [file = "", part] = source.split("?part=");
    // A name that does not end as JSON, because the text is a module already.
    return part === undefined ? null : `\0${basename(file)}:${part}`;
  },
  load(id) {
    const [, name, part] = /^\0(\w+\.json):(\w+)$/.exec(id) ?? [];
    if (name === undefined || part === undefined) return null;
    const file = join(import.meta.dirname, "src/text/languages", name);
    this.addWatchFile(file);
    const parts: Readonly<Record<string, object>> = JSON.parse(readFileSync(file, "utf8"));
    return `export default ${JSON.stringify(parts[part] ?? {})}`;
  },
};

/** What signing in needs. */
const SIGN_IN_FILE =
  /node_modules\/(?:preact|@preact)\/|web\/src\/(?:session|store\/thin-layer|past\/moment|text\/(?:text|problem)\.ts)/;
/** What Home shows, in one file: it packs better than many small ones. What only other places use stays out of it. */
const HOME_FILE =
  /web\/src\/(?:shell|store\/(?!edits|use-act|use-loaded)|home\/(?:home-place|overview|rooms|room-card|room-signs|states)\.|past\/moment|text\/(?:temperature|power|home-units|time|home-zone|names)|parts\/(?:command-line|tile|ask-button|node-(?:icon|state)|activity|roles|badges|device-parts|room-climate|scene-(?:button|state)|things|layout|lazy|closing|use-title))/;

// Names by content, so that the controller may let browsers keep the files for ever. No inline styles or scripts: the
// controller's Content-Security-Policy forbids them.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [languageParts],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "assets/manifest.json",
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "sign-in", test: SIGN_IN_FILE, priority: 2 },
            { name: "home", test: HOME_FILE, priority: 1 },
          ],
        },
      },
    },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
