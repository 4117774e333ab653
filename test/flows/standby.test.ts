/** Two machines of one home, as processes with data directories of their own and a real PostgreSQL between them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DomovoiProcess, runDomovoi, serveArguments, startService } from "../simulation/service-process.ts";
import { postgres, stopPostgres } from "../store/engines.ts";
import { LOCAL, OWNER } from "../support/controller.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";

stopPostgres();

const basic = { Authorization: `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}` };

const clientOf = (url: string) =>
  createHttpsClient(
    () => url,
    () => basic,
  );

async function startStandby(storeUrl: string) {
  const child = new DomovoiProcess(serveArguments(temporaryDirectory(), ["--store-url", storeUrl, "--standby"]), {
    env: {},
  });
  await child.until(() => child.stdout.startsWith("standby "));
  const [, portalUrl = "", localUrl = ""] = child.stdout.trim().split(" ");
  return { process: child, portalUrl, localUrl };
}

/** Settles when the standby runs the home. */
async function tookOver(standby: DomovoiProcess) {
  await standby.until(() => standby.stdout.includes("\nready "));
  const [, portalUrl = "", localUrl = ""] = standby.stdout.split("\n")[1]?.split(" ") ?? [];
  return { portalUrl, localUrl };
}

test("a standby answers where the home is, takes it over with everything that was acknowledged, and says so", {
  timeout: 60_000,
}, async () => {
  const storeUrl = await (await postgres()).database();
  const writer = await startService(temporaryDirectory(), ["--demo", "--still", "--store-url", storeUrl]);
  await using standby = (await startStandby(storeUrl)).process;
  const [, standbyPortal = "", standbyLocal = ""] = standby.stdout.trim().split(" ");

  const health = (await clientOf(standbyPortal).get("/healthz")).json();
  expect(health).toMatchObject({
    status: "standby",
    store: { role: "standby", epoch: 1 },
  });
  expect(JSON.stringify(health)).not.toContain("://");
  const refused = await clientOf(standbyPortal).get("/api/nodes");
  expect(refused.status).toBe(503);
  expect(refused.json()).toMatchObject({
    successful: false,
    code: "STANDBY",
    error: expect.stringContaining(writer.portalUrl),
  });
  const legacy = await clientOf(standbyLocal).get("/rest/nodes");
  expect([legacy.status, legacy.text]).toEqual([503, expect.stringContaining('<reason code="STANDBY">')]);

  const status = await runDomovoi(["store", "status", "--json", "--insecure", "--url", standbyPortal], {
    env: { DOMOVOI_USER: OWNER.username, DOMOVOI_PASSWORD: OWNER.password },
  });
  expect(JSON.parse(status.stdout)).toMatchObject({ role: "standby", epoch: 1 });

  const written = await clientOf(writer.localUrl).get("/rest/vars/set/2/1/77");
  expect(written.status).toBe(200);
  await writer.process.kill();
  const after = await tookOver(standby);
  const value = await clientOf(after.localUrl).get("/rest/vars/get/2/1");
  expect(value.text).toContain("<val>77</val>");
  const known = await runDomovoi(["store", "status", "--json", "--insecure", "--url", after.portalUrl], {
    env: { DOMOVOI_USER: OWNER.username, DOMOVOI_PASSWORD: OWNER.password },
  });
  expect(JSON.parse(known.stdout)).toMatchObject({ role: "writer", epoch: 2, isConfirmed: true });
});

test("an integration whose radio is plugged into the machine before says which machine that is", {
  timeout: 60_000,
}, async () => {
  const storeUrl = await (await postgres()).database();
  const named = join(temporaryDirectory(), "settings.json");
  writeFileSync(named, JSON.stringify({ storeUrl, machineName: "pi-hall" }));
  const writer = await startService(temporaryDirectory(), ["--demo", "--still", "--config", named]);
  const owner = await ownerOf(writer.portalUrl);
  const added = await owner(writer.portalUrl).post("/api/integrations", {
    type: "zwave",
    settings: { port: "/dev/serial/by-id/usb-no-stick" },
  });
  expect(added.status).toBe(200);
  await using standby = (await startStandby(storeUrl)).process;
  await writer.process.kill();
  const { portalUrl } = await tookOver(standby);
  const client = owner(portalUrl);
  await expect
    .poll(async () => (await client.get("/api/integrations")).json<Integrations>().data, { timeout: 20_000 })
    .toContainEqual(
      expect.objectContaining({
        type: "zwave",
        state: "failed",
        reason: expect.stringContaining("It stays with pi-hall: plug its device into this machine"),
      }),
    );
});

/** A client of the home's owner for either machine. */
async function ownerOf(url: string) {
  const login = await clientOf(url).post("/api/login", OWNER);
  const { accessToken } = login.json<{ data: { accessToken: string } }>().data;
  const bearer = { Authorization: `Bearer ${accessToken}` };
  return (portalUrl: string) =>
    createHttpsClient(
      () => portalUrl,
      () => bearer,
    );
}

type Integrations = {
  readonly data: readonly { readonly type: string; readonly state: string; readonly reason: string }[];
};

test("a writer that ends in order hands the home over at once, and comes back as the standby", {
  timeout: 60_000,
}, async () => {
  const storeUrl = await (await postgres()).database();
  const dir = temporaryDirectory();
  const args = ["--demo", "--still", "--store-url", storeUrl, "--standby"];
  const first = await startService(dir, args);
  await using second = (await startStandby(storeUrl)).process;
  first.process.signal("SIGTERM");
  expect((await first.process.ended).code).toBe(0);
  await tookOver(second);
  await using again = new DomovoiProcess(serveArguments(dir, args));
  await again.until(() => again.stdout.startsWith("standby "));
  second.signal("SIGTERM");
  await second.ended;
  const { localUrl } = await tookOver(again);
  expect((await clientOf(localUrl).get("/rest/nodes")).status).toBe(200);
});
