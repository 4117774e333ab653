/** Certificates by ACME, of a real ACME server and with a real DNS server, as clients of the listeners see them. */

import type { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../../src/config.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startAcmeServer } from "../support/acme-server.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LIFE_MS = 6 * HOUR_MS;
const NAME = "home.example.org";

const server = await startAcmeServer(LIFE_MS / 1000);
afterAll(() => server?.end());

async function start(settings: Partial<Config>): Promise<TestController> {
  const ordered = { acmeNames: [NAME], acmeDirectoryUrl: server?.directoryUrl ?? "", acmeDnsWaitMs: 1000 };
  const clock = new VirtualClock(Date.now());
  const controller = await startTestController({ ...ordered, demo: false, backupHour: -1, ...settings }, { clock });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  return controller;
}

/** The certificate for a client that names this host; empty: for one that names none. */
async function shown({ controller }: TestController, servername: string): Promise<X509Certificate> {
  const port = Number(new URL(controller.localUrl).port);
  const socket = connect({ port, host: "127.0.0.1", servername, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (!certificate) throw new Error("The listener shows no certificate.");
  return certificate;
}

const isCertified = async (controller: TestController, name = NAME) =>
  (await shown(controller, name)).issuer.includes("Pebble");

type Health = {
  readonly status: string;
  readonly reasons: readonly { readonly code: string; readonly detail: string }[];
  readonly certificate: Readonly<Record<"source" | "validTo" | "renewalFailure" | "nextRenewal", string | null>>;
};

const health = async ({ local }: TestController) => (await local.get("/healthz")).json<Health>();

/** Lets the time pass that the two sides wait for one another. */
function until(controller: TestController, isTrue: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await controller.clock.advance(1000);
    expect(await isTrue()).toBe(true);
  };
  return vi.waitFor(look, { timeout: 20_000, interval: 20 });
}

const failing = async (controller: TestController) => (await health(controller)).certificate.renewalFailure !== null;

describe.skipIf(server === null)("a certificate by ACME", { timeout: 60_000 }, () => {
  test("is ordered by DNS-01 also for a wildcard, shown for its names only, renewed after two thirds of its life", async () => {
    const controller = await start({
      acmeNames: [NAME, `*.${NAME}`],
      acmeEmail: "owner@example.org",
      acmeDnsCommand: server?.dnsCommand ?? "",
    });
    await until(controller, () => isCertified(controller));
    const first = await shown(controller, NAME);
    expect([first.checkHost(NAME), first.checkHost(`lamp.${NAME}`)]).toEqual([NAME, `*.${NAME}`]);
    expect(await isCertified(controller, `lamp.${NAME}`)).toBe(true);
    expect((await shown(controller, "")).issuer).toContain("Domovoi CA");
    expect(await health(controller)).toMatchObject({
      status: "ok",
      certificate: { source: "acme", validTo: first.validToDate.toISOString(), renewalFailure: null },
    });
    const secrets = join(controller.data, "secrets");
    expect(readdirSync(secrets).filter((name) => statSync(join(secrets, name)).mode & 0o077)).toEqual([]);
    const [key = "-"] =
      /PRIVATE KEY-----\n(.{30})/.exec(readFileSync(join(secrets, "acme-certificate"), "utf8"))?.slice(1) ?? [];
    expect(JSON.stringify(controller.lines)).not.toContain(key);

    await controller.restart();
    await controller.clock.advance((LIFE_MS * 2) / 3 - 10 * MINUTE_MS);
    expect((await shown(controller, NAME)).fingerprint256).toBe(first.fingerprint256);
    await controller.clock.advance(10 * MINUTE_MS);
    await until(controller, async () => (await shown(controller, NAME)).fingerprint256 !== first.fingerprint256);
  });

  test("is ordered by HTTP-01, and the port for it is closed afterwards", async () => {
    const controller = await start({ acmeHttpPort: server?.httpPort ?? 0 });
    await until(controller, () => isCertified(controller));
    const probe = connectPlain(server?.httpPort ?? 0, "127.0.0.1");
    await expect(once(probe, "connect")).rejects.toThrow("ECONNREFUSED");
  });

  test("that does not come is tried for again with growing pauses, and alarms", async () => {
    const gate = join(temporaryDirectory(), "command");
    writeFileSync(gate, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    const controller = await start({ acmeDnsCommand: gate });
    const tries = () =>
      controller.lines.filter(({ message }) => message.startsWith("The certificate was not renewed."));
    await until(controller, () => failing(controller));
    expect(await health(controller)).toMatchObject({ status: "degraded", reasons: [{ code: "CERTIFICATE_ENDING" }] });
    expect((await health(controller)).reasons[0]?.detail).toMatch(
      /^There is no certificate yet\. The last try to renew it failed: The command .* ended with status 3\. The log has its output\. The next try is at /,
    );
    for (const minutes of [5, 10, 20]) {
      const before = tries().length;
      await controller.clock.advance((minutes - 0.5) * MINUTE_MS);
      expect(tries()).toHaveLength(before);
      await controller.clock.advance(0.5 * MINUTE_MS);
      await until(controller, async () => tries().length > before);
    }
    const alarms = controller.lines.filter(({ fields }) => fields.kind === "CERTIFICATE_ENDING");
    expect(alarms.map(({ level }) => level)).toEqual(["error"]);
    writeFileSync(gate, `#!/bin/sh\nexec ${server?.dnsCommand} "$@"\n`);
    await controller.clock.advance(40 * MINUTE_MS);
    await until(controller, () => isCertified(controller));
    expect(await health(controller)).toMatchObject({ status: "ok", certificate: { renewalFailure: null } });
  });

  test("stays in use while the server cannot be reached, and alarms when a sixth of its life is left", async () => {
    const controller = await start({ acmeDnsCommand: server?.dnsCommand ?? "" });
    await until(controller, () => isCertified(controller));
    await server?.stop();
    onTestFinished(() => server?.start());
    await controller.clock.advance((LIFE_MS * 2) / 3);
    await until(controller, () => failing(controller));
    expect(await health(controller)).toMatchObject({
      status: "ok",
      certificate: { renewalFailure: "The ACME server cannot be used: it refused the connection." },
    });
    await controller.clock.advance(LIFE_MS / 6);
    await until(controller, async () => (await health(controller)).status === "degraded");
    expect(await isCertified(controller)).toBe(true);
  });
});

test.each([
  [{ acmeNames: ["Home"] }, 'The setting acmeNames holds "Home", which is not a host name in lower case.'],
  [{ acmeNames: ["*.a.example"] }, "The name *.a.example in the setting acmeNames needs the setting acmeDnsCommand."],
  [
    { acmeNames: ["a.example"], certificateFile: "/a.pem", certificateKeyFile: "/b.pem" },
    "The settings acmeNames and certificateFile exclude each other. Remove one of them.",
  ],
])("the settings %o are refused", async (settings, sentence) => {
  await expect(startTestController(settings)).rejects.toThrow(sentence);
});
