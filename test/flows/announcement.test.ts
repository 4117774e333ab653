/** The announcement of a service in the network, as an independent mDNS client receives it over loopback. */

import type { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Service as Announced, Bonjour, type Browser } from "bonjour-service";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "../simulation/service-process.ts";
import { temporaryDirectory } from "../support/test-store.ts";

/** Other test runs on this machine announce too. */
const NAME = `Announced ${process.pid}`;
const MS = 60_000;

let directory: string;
let network: Bonjour;
let pages: Browser;
let controllers: Browser;

beforeAll(() => {
  // A socket that is bound to the address of the interface, as it is by default, receives no multicast.
  const options = { interface: "127.0.0.1", bind: "0.0.0.0" } as object;
  network = new Bonjour(options, (error: unknown) => expect.unreachable(String(error)));
  pages = network.find({ type: "https" });
  controllers = network.find({ type: "iox" });
});
afterAll(() => network.destroy());

const start = (home: string, ...options: readonly string[]) =>
  startService(join(directory, home), ["--config", join(directory, "settings.json"), ...options]);
const portOf = ({ portalUrl }: Service) => Number(new URL(portalUrl).port);

/** The next ones of both types that come or go under a name that fits. */
function next(event: "up" | "down", name: RegExp): Promise<readonly Announced[]> {
  return Promise.all([pages, controllers].map((browser) => nextOf(browser, event, name)));
}

async function nextOf(browser: Browser, event: "up" | "down", name: RegExp): Promise<Announced> {
  for (;;) {
    const [service] = (await once(browser, event)) as [Announced];
    if (name.test(service.name)) return service;
  }
}

async function certificateOf(service: Service): Promise<X509Certificate> {
  const socket = connect({ port: portOf(service), host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (!certificate) throw new Error("The listener shows no certificate.");
  return certificate;
}

test("a service is announced only with --announce, a copy of its home under another name, and its end too", {
  timeout: MS,
}, async () => {
  directory = temporaryDirectory();
  writeFileSync(join(directory, "settings.json"), JSON.stringify({ name: NAME }));
  const silent = await start("home");
  silent.process.signal("SIGTERM");
  await silent.process.ended;
  cpSync(join(directory, "home"), join(directory, "copy"), { recursive: true });

  const found = next("up", new RegExp(`^${NAME} [0-9a-f]{6}$`));
  const first = await start("home", "--announce");
  await using _first = first.process;
  const certificate = await certificateOf(first);
  for (const { name, port, txt, addresses, host } of await found) {
    expect({ port, addresses, txt }).toMatchObject({
      port: portOf(first),
      addresses: ["127.0.0.1"],
      txt: { path: "/", version: "6.0.3", uuid: expect.any(String) },
    });
    const { uuid } = txt as { readonly uuid: string };
    expect(uuid.replaceAll(":", "").slice(-6)).toBe(name.slice(-6));
    expect(certificate.checkHost(host)).toBe(host);
  }

  const renamed = next("up", new RegExp(`^${NAME} [0-9a-f]{6} \\(2\\)$`));
  const second = await start("copy", "--announce");
  await using _second = second.process;
  expect((await renamed).map(({ port }) => port)).toEqual([portOf(second), portOf(second)]);
  await second.process.until(() => second.process.stderr.includes("Is a copy of this home running?"));
  expect(first.process.stderr).not.toContain("Is a copy of this home running?");

  const gone = next("down", new RegExp(`^${NAME} [0-9a-f]{6}$`));
  first.process.signal("SIGTERM");
  expect((await gone).map(({ type }) => type)).toEqual(["https", "iox"]);
  expect((await first.process.ended).code).toBe(0);
  const ports = [...pages.services, ...controllers.services].map(({ port }) => port);
  expect(ports).not.toContain(portOf(silent));
});
