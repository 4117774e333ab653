import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/test-store.ts";

const LOCK = "package-lock.json";

function check(lock: object) {
  const file = join(temporaryDirectory(), LOCK);
  writeFileSync(file, JSON.stringify(lock));
  const { status, stderr } = spawnSync(process.execPath, ["tools/licenses.ts", file], { encoding: "utf8" });
  return { status, stderr };
}

const locked = (license: string | undefined, more = {}) => ({
  packages: { "": { name: "domovoi" }, "node_modules/a": { version: "1.0.0", integrity: "sha512-", license, ...more } },
});

describe("licenses", () => {
  test("of all packages are on the list", () => {
    expect(check(JSON.parse(readFileSync(LOCK, "utf8")) as object)).toEqual({ status: 0, stderr: "" });
  });

  test.each([
    ["copyleft", locked("GPL-3.0-only"), "Not on the list: a@1.0.0 (GPL-3.0-only)\n"],
    ["none at all", locked(undefined), "Not on the list: a@1.0.0 (none)\n"],
    ["one for tools in the service", locked("MPL-2.0"), "Not on the list: a@1.0.0 (MPL-2.0)\n"],
  ])("%s is refused", (_what, lock, stderr) => {
    expect(check(lock)).toEqual({ status: 1, stderr });
  });

  test("of development tools may be others", () => {
    expect(check(locked("MPL-2.0", { dev: true }))).toEqual({ status: 0, stderr: "" });
  });
});

test("the bill of materials names every package that the service carries, with its version", () => {
  const text = execFileSync("npm", ["run", "--silent", "sbom"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const bill = JSON.parse(text) as { bomFormat: string; components: { name: string; version: string }[] };
  expect(bill.bomFormat).toBe("CycloneDX");
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  const missing = Object.entries(dependencies).filter(([name, version]) => !named.has(`${name}@${version}`));
  expect(missing).toEqual([]);
});
