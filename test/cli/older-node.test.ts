import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMAND, CREDENTIALS, runDomovoi, startService } from "../simulation/service-process.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const MAJOR_NEEDED = 24;
const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
const older = findOlderNode();

/** As a system's service starts it: by the Node that the machine has, with hardly an environment. */
const byOlderNode = (env: Readonly<Record<string, string>> = CREDENTIALS) => ({
  node: older ?? "",
  path: SYSTEM_PATH,
  env,
});

describe.skipIf(older === null)("an older Node of the machine", () => {
  test("hands over to the one that was installed beside, with its signals and its end", async () => {
    const data = temporaryDirectory();
    const service = await startService(data, ["--local-api"], byOlderNode());
    await using process = service.process;
    expect(await configStatus(service.portalUrl)).toBe(200);
    process.signal("SIGTERM");
    const { code, stdout } = await process.ended;
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(2);
  });

  test("passes on the status of a refusal", async () => {
    const { code, stderr } = await runDomovoi(["serve", "--bogus"], byOlderNode());
    expect([code, stderr]).toEqual([2, `domovoi: Unknown option '--bogus'. "domovoi serve --help" shows more.\n`]);
  });

  test("that is killed leaves no process behind in the data directory", async () => {
    const data = temporaryDirectory();
    const first = await startService(data, [], byOlderNode());
    await first.process.kill();
    // The directory is free as soon as the one that took over has ended too.
    const second = await startWhenFree(data);
    await using _process = second.process;
    expect(second.readyMs).toBeGreaterThan(0);
  });

  test("says what is missing where no other Node was installed", async () => {
    const bare = temporaryDirectory();
    mkdirSync(join(bare, "bin"));
    copyFileSync(COMMAND, join(bare, "bin/domovoi.js"));
    writeFileSync(join(bare, "package.json"), JSON.stringify({ type: "module" }));
    const { code, stdout, stderr } = await runDomovoi(["serve"], {
      ...byOlderNode(),
      command: join(bare, "bin/domovoi.js"),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^Domovoi needs Node 24 or newer; this is [\d.]+\. Run "npm ci", which installs one beside it\.\n$/,
    );
  });
});

function findOlderNode(): string | null {
  const directories = [...SYSTEM_PATH.split(delimiter), ...(process.env.PATH ?? "").split(delimiter)];
  const candidates = directories
    .filter((directory) => !directory.includes("node_modules"))
    .map((directory) => join(directory, "node"))
    .filter(existsSync);
  return candidates.find((node) => majorOf(node) < MAJOR_NEEDED) ?? null;
}

function majorOf(node: string): number {
  try {
    return Number(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).split(".")[0]);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function startWhenFree(data: string): ReturnType<typeof startService> {
  try {
    return await startService(data);
  } catch (error) {
    if (!String(error).includes("is in use by another Domovoi")) throw error;
    return startWhenFree(data);
  }
}

async function configStatus(portalUrl: string): Promise<number> {
  const portal = createHttpsClient(
    () => portalUrl,
    () => ({}),
  );
  const { status } = await portal.get("/api/config");
  portal.close();
  return status;
}
