/** What is plugged in or answers in the network, and could be connected: serial ports, brokers, Z-Wave servers. */

import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Bonjour } from "bonjour-service";
import { expect, test } from "vitest";
import { insteonType } from "../../src/drivers/insteon/integration-type.ts";
import { mqttType } from "../../src/drivers/mqtt/integration-type.ts";
import { createSurroundings } from "../../src/drivers/surroundings.ts";
import { findIntegrations } from "../../src/integrations/find-integrations.ts";
import { systemClock } from "../../src/util/clock.ts";
import { startTestController } from "../support/controller.ts";
import { temporaryDirectory } from "../support/test-store.ts";

const STICK = "usb-FTDI_FT232R_USB_UART_A1-if00-port0";
const LOCAL = { clock: systemClock, host: "127.0.0.1" };
const types = [insteonType(systemClock)];
const limits = { mqttMessageBytesMax: 1000, mqttEntitiesMax: 10, zigbeeDevicesMax: 10 };

function pluggedIn(...names: readonly string[]) {
  const directory = join(temporaryDirectory(), "by-id");
  mkdirSync(directory);
  for (const name of names) writeFileSync(join(directory, name), "");
  return { path: (name: string) => join(directory, name), around: createSurroundings(LOCAL, 0, directory) };
}

const record = (port: string, enabled: boolean) =>
  ({ id: "zwave", type: "zwave", name: "", settings: { port }, secrets: [], enabled, origin: "owner" }) as const;

test("a serial port is found by its lasting name, with its maker's words", async () => {
  const { path, around } = pluggedIn(STICK);
  expect(await findIntegrations(types, around, () => [])).toEqual([
    { type: "insteon", label: "FTDI FT232R USB UART A1", settings: { port: path(STICK) } },
  ]);
});

test("a serial port that an enabled integration uses is not found, also by another type", async () => {
  const { path, around } = pluggedIn(STICK);
  expect(await findIntegrations(types, around, () => [record(path(STICK), true)])).toEqual([]);
  expect(await findIntegrations(types, around, () => [record(path(STICK), false)])).toHaveLength(1);
});

test("a machine without serial ports has none", async () => {
  const around = createSurroundings(LOCAL, 0, join(temporaryDirectory(), "missing"));
  expect(await findIntegrations(types, around, () => [])).toEqual([]);
});

test("a broker that says of itself in the network that it is there is found, and one whose name is no host's is left out", async () => {
  const network = new Bonjour({ interface: "127.0.0.1", bind: "0.0.0.0" } as object);
  const name = `Broker ${process.pid}`;
  network.publish({ name, type: "mqtt", port: 18_830, host: "broker.local", probe: false });
  network.publish({ name: `Odd ${process.pid}`, type: "mqtt", port: 18_831, host: "a b/c.local", probe: false });
  try {
    const found = await findIntegrations(
      [mqttType(limits, "uuid", () => [])],
      createSurroundings(LOCAL, 3000),
      () => [],
    );
    const ours = found.filter(({ label }) => label.endsWith(String(process.pid)));
    expect(ours).toEqual([{ type: "mqtt", label: name, settings: { url: "mqtt://broker.local:18830" } }]);
  } finally {
    await new Promise<void>((resolve) => network.unpublishAll(() => resolve()));
    network.destroy();
  }
});

test("whether something listens at a port of this machine is known", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const around = createSurroundings(LOCAL, 0);
  expect(await around.isListening(port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await around.isListening(port)).toBe(false);
});

test("the interface lists what was found for owners", async () => {
  await using controller = await startTestController({ demo: false });
  await controller.login();
  const answer = await controller.portal.get("/api/integrations/found");
  expect(answer.status).toBe(200);
  expect(Array.isArray(answer.json<{ data: unknown }>().data)).toBe(true);
});
