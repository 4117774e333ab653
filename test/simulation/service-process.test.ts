import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { endWithUs } from "../support/ends-with-us.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const STARTER = fileURLToPath(new URL("../support/start-and-wait.ts", import.meta.url));
const WAIT_MS_MAX = 10_000;

test("a service ends when the tests that started it are killed", async () => {
  const starter = spawn(process.execPath, [STARTER, temporaryDirectory()], { stdio: ["ignore", "pipe", "inherit"] });
  endWithUs(starter);
  const [line] = (await once(starter.stdout, "data")) as [Buffer];
  const id = Number(line);
  expect(isRunning(id)).toBe(true);
  starter.kill("SIGKILL");
  const deadline = performance.now() + WAIT_MS_MAX;
  while (isRunning(id) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isRunning(id)).toBe(false);
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
