// Runs after `npm ci`: starts the service once on a directory of its own and ends it, so that Node keeps the stripped and
// compiled sources, those of a radio's library too: it is loaded for a port that nobody opens. The first start of a home is
// then as quick and as small as every other. First it makes the index of the Z-Wave library's database of devices, which is not in
// the library's package. Fails without consequence.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigManager } from "@zwave-js/config";

const TAKES_MAX_MS = 30_000;

await new ConfigManager().loadDeviceIndex().catch(() => {});

const data = mkdtempSync(join(tmpdir(), "domovoi-warm-"));
const command = join(import.meta.dirname, "../bin/domovoi.js");
const child = spawn(
  process.execPath,
  [
    ...[command, "serve", "--demo", "--data", data, "--portal-port", "0", "--local-port", "0", "--log-level", "silent"],
    ...["--zwave-port", "tcp://127.0.0.1:1"],
  ],
  { stdio: ["ignore", "pipe", "ignore"] },
);
const end = () => child.kill("SIGTERM");
const timer = setTimeout(end, TAKES_MAX_MS);
child.stdout.once("data", end);
child.once("error", () => clearTimeout(timer));
child.once("close", () => {
  clearTimeout(timer);
  rmSync(data, { recursive: true, force: true });
});
