// Runs after `npm ci`: builds the page into web/dist. A production install has no build tools; its package contains the built page.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const web = join(import.meta.dirname, "../web");

if (hasBuildTools()) {
  const { status } = spawnSync("npm", ["run", "--silent", "build", "--", "--logLevel", "warn"], {
    cwd: web,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
}

function hasBuildTools() {
  try {
    createRequire(join(web, "package.json")).resolve("preact/package.json");
    createRequire(import.meta.url).resolve("vite/package.json");
    return true;
  } catch {
    return false;
  }
}
