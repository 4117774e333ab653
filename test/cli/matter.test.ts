/** `domovoi matter` against a running controller, on the loopback interface. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runDomovoi, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";

const directory = mkdtempSync(join(tmpdir(), "domovoi-matter-"));
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  service = await startService(directory);
}, 30_000);

afterAll(async () => {
  await service.process.kill();
  rmSync(directory, { recursive: true, force: true });
});

test("without a bridge it says how to add one", async () => {
  expect(await domovoi("matter")).toMatchObject({ code: 0, stdout: expect.stringContaining("add matterbridge") });
  expect(await domovoi("matter", "window")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no Matter bridge"),
  });
});

test("with a bridge it shows the codes, also as a QR code, and refuses an ecosystem that there is not", async () => {
  const settings = ["networkInterface=lo", `port=${await freePort()}`];
  await domovoi("integration", "add", "matterbridge", ...settings);
  const shown = await vi.waitFor(
    async () => {
      const { stdout } = await domovoi("matter");
      expect(stdout).toContain("is ready");
      return stdout;
    },
    { timeout: 40_000, interval: 500 },
  );
  const { bridge } = JSON.parse((await domovoi("matter", "--json")).stdout);
  expect(shown).toContain("█▀");
  expect(shown.trimEnd().split("\n").slice(-2)).toEqual([bridge.qrPairingCode, bridge.manualPairingCode]);
  expect((await domovoi("matter", "window", "--seconds", "180")).stdout).toContain(bridge.manualPairingCode);
  expect(await domovoi("matter", "window", "--seconds", "x")).toMatchObject({ code: 2 });
  expect(await domovoi("matter", "remove", "7")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no ecosystem"),
  });
  expect(await domovoi("matter", "remove", "one")).toMatchObject({ code: 2 });
}, 60_000);

test("a device is included by its code; one that is none is refused, also before the library has started", async () => {
  await domovoi("integration", "add", "matter", "networkInterface=lo");
  expect(await domovoi("radio", "include", "--radio", "matter", "12345")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("This is not the code of a Matter device."),
  });
  expect(await domovoi("radio", "exclude", "--radio", "matter", "ZM00001_001_1", "--force")).toMatchObject({ code: 3 });
}, 60_000);

async function domovoi(...args: readonly string[]) {
  const where = ["--url", service.portalUrl, "--ca", join(directory, "secrets", "ca-cert")];
  const env = {
    DOMOVOI_USER: OWNER.username,
    DOMOVOI_PASSWORD: OWNER.password,
    DOMOVOI_CONTROLLERS: join(directory, "none.json"),
  };
  return runDomovoi([...args, ...where], { env });
}
