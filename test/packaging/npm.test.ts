/** The service as a package of npm: installed in an empty directory beside its dependencies, without scripts, and run from there. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDENTIALS, runDomovoi, startService } from "../simulation/service-process.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the package contains the service and its page, and runs without the checkout", {
  timeout: 300_000,
}, async () => {
  const empty = temporaryDirectory();
  const modules = join(empty, "node_modules");
  mkdirSync(join(modules, "domovoi"), { recursive: true });
  execFileSync(process.execPath, [join(ROOT, "packaging/build-npm"), empty], { stdio: "ignore" });
  const [archive = ""] = readdirSync(empty).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["xzf", join(empty, archive), "-C", join(modules, "domovoi"), "--strip-components=1"]);
  const manual = readFileSync(join(modules, "domovoi/domovoi.1"), "utf8");
  expect(manual).toMatch(/^\.SS domovoi move-in\n\.nf\nUsage: domovoi move\\-in/m);
  expect(existsSync(join(modules, "domovoi/docs/moving-in.md"))).toBe(true);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "domovoi" && name !== "@domovoi" && !name.startsWith("."))
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  const command = join(modules, "domovoi/bin/domovoi.js");
  const { process: service, portalUrl } = await startService(join(empty, "data"), ["--demo", "--still"], { command });
  await using _service = service;
  const portal = createHttpsClient(
    () => portalUrl,
    () => ({}),
  );
  expect((await portal.get("/healthz")).json()).toEqual({ status: "ok" });
  expect((await portal.get("/")).text).toContain("<!doctype html>");
  portal.close();
  const env = {
    DOMOVOI_URL: portalUrl,
    DOMOVOI_USER: CREDENTIALS.DOMOVOI_OWNER_EMAIL,
    DOMOVOI_PASSWORD: CREDENTIALS.DOMOVOI_OWNER_PASSWORD,
    DOMOVOI_CA: join(empty, "data/secrets/ca-cert"),
    DOMOVOI_CONTROLLERS: join(empty, "controllers.json"),
  };
  expect(await runDomovoi(["send", "Hall Ceiling", "DON", "60%", "--wait"], { env, command })).toMatchObject({
    code: 0,
  });
  expect(
    await runDomovoi(["backup", join(empty, "home.jsonl.gz"), "--data", join(empty, "data")], { env, command }),
  ).toMatchObject({
    code: 0,
  });
});
