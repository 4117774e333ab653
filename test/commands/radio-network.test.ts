/** Radio networks by the names of their drivers, and their reports for a bug report. */

import { describe, expect, test } from "vitest";
import { reportRadio } from "../../src/commands/radio/radio-diagnostics.ts";
import {
  beginWithFile,
  findRadio,
  listRadios,
  pingRadioDevice,
  radioNetworkOf,
  readRadioMemory,
  unprovisionDevice,
} from "../../src/commands/radio/radio-network.ts";
import { sendCommand } from "../../src/commands/send-command.ts";
import type { Mesh } from "../../src/drivers/mesh.ts";
import type { Network } from "../../src/drivers/network.ts";
import type { Operation } from "../../src/home/operation.ts";
import { codeOf, createServices, REQUEST, report, request, START_MS, spec } from "./command-services.ts";

const NAME = "scripted";
const [LOCK, LAMP] = ["ZW002_1", "ZW003_1"] as const;
const OPERATION = { kind: "restore", question: { kind: "pin", dsk: "12345" } } as unknown as Operation;
const TROUBLE = { atMs: 1, address: null, detail: "The adapter was unplugged." };

/** The members that the tests use. */
const network = (more: Partial<Network>, mesh: Partial<Mesh>) =>
  ({
    family: 4,
    about: () => ({ nodes: 2 }),
    diagnostics: () => ({ queues: 1 }),
    troubles: () => [TROUBLE],
    mesh: { savedMemory: () => null, unprovision: () => false, restore: () => OPERATION, ...mesh },
    ...more,
  }) as unknown as Network;

async function radioServices(more: Partial<Network> = {}, mesh: Partial<Mesh> = {}) {
  const commissioning = { operation: () => OPERATION } as never;
  const services = await createServices({}, { network: network(more, mesh), commissioning });
  for (const address of [LOCK, LAMP]) services.host.node(spec(address, "DIMMER", { name: "Front door" }));
  return services;
}

const codeOfCall = (call: () => unknown) => codeOf((async () => call())());

test.each(["nowhere", NAME])("%s is no radio network without a radio", async (name) => {
  const services = await createServices();
  expect(await codeOfCall(() => radioNetworkOf(services, name))).toBe("RADIO_NOT_FOUND");
  expect(await codeOfCall(() => findRadio(services, name))).toBe("RADIO_NOT_FOUND");
  expect(listRadios(services)).toEqual([]);
});

test.each([
  ["ready", { nodes: 2 }],
  ["degraded", { nodes: 2 }],
  ["failed", null],
] as const)("a network whose driver is %s is described by %j", async (state, about) => {
  const services = await radioServices();
  services.host.status(state, "Why.");
  expect(findRadio(services, NAME)).toMatchObject({ name: NAME, family: 4, state, about, operation: OPERATION });
});

describe("an order", () => {
  test("to a driver that is down is refused", async () => {
    const services = await radioServices();
    services.host.status("failed", "");
    expect(await codeOfCall(() => radioNetworkOf(services, NAME))).toBe("DRIVER_UNAVAILABLE");
  });

  test("with a file begins an operation and is in the log", async () => {
    const services = await radioServices();
    const begin = (mesh: Mesh) => mesh.restore(new Uint8Array(1), null);
    expect(beginWithFile(services, NAME, begin, REQUEST)).toBe(OPERATION);
    const fields = { integration: NAME, kind: "restore", by: "ann" };
    expect(services.lines).toMatchObject([{ level: "info", message: "An operation was started.", fields }]);
  });

  test.each([
    [null, "RADIO_IDLE"],
    [new Uint8Array([1, 2]), "none"],
  ])("for the backup %j ends with %s", async (memory, code) => {
    const services = await radioServices({}, { savedMemory: () => memory });
    expect(await codeOfCall(() => readRadioMemory(services, NAME))).toBe(code);
  });

  test.each([
    [true, "none"],
    [false, "PROVISIONED_NOT_FOUND"],
  ])("to remove a provisioned device that is there (%s) ends with %s", async (isThere, code) => {
    const services = await radioServices({}, { unprovision: () => isThere });
    expect(await codeOfCall(() => unprovisionDevice(services, NAME, "12345"))).toBe(code);
  });

  test("for the memory, or a device that may join, is refused in a network without keys", async () => {
    const { mesh: _mesh, ...plain } = network({}, {});
    const services = await createServices({}, { network: plain });
    expect(await codeOfCall(() => readRadioMemory(services, NAME))).toBe("NOT_SUPPORTED");
    expect(await codeOfCall(() => unprovisionDevice(services, NAME, "12345"))).toBe("NOT_SUPPORTED");
    expect(radioNetworkOf(services, NAME).about()).toEqual({ nodes: 2 });
  });

  test("to ping a device fails with DEVICE_FAILED when the driver throws", async () => {
    const services = await radioServices({ ping: async () => Promise.reject(new TypeError("no")) });
    const ping = pingRadioDevice(services, NAME, LOCK, new AbortController().signal);
    expect(await codeOf(ping)).toBe("DEVICE_FAILED");
    expect(services.lines).toMatchObject([{ level: "error", fields: { node: LOCK, command: "PING" } }]);
  });
});

describe("the report of a network", () => {
  test("has its nodes, the values without their times, and only commands that failed", async () => {
    const services = await radioServices();
    services.host.report([report(LOCK, 100)]);
    await sendCommand(services, request(LAMP, "DON"), REQUEST);
    services.driver.answer = async () => ({ kind: "failed", reason: "no-ack", detail: "No answer.", retryable: true });
    await codeOf(sendCommand(services, request(LOCK, "DOF"), REQUEST));
    const result = reportRadio(services, NAME, false);
    expect(result).toMatchObject({
      atMs: START_MS,
      network: { queues: 1 },
      troubles: [TROUBLE],
      failures: [{ atMs: START_MS, address: LOCK, command: "DOF", detail: "No answer." }],
    });
    expect(result.nodes.map(({ address, name, queued }) => [address, name, queued])).toEqual([
      [LOCK, null, 0],
      [LAMP, null, 0],
    ]);
    expect(result.nodes[0]?.properties).toEqual([expect.not.objectContaining({ changedAtMs: expect.anything() })]);
    expect(result.nodedefs.map(({ id }) => id)).toEqual(["DIMMER"]);
  });

  test("has neither the home id nor the key in a question, and names only on request", async () => {
    const services = await radioServices();
    const result = reportRadio(services, NAME, false);
    expect(result.radio.operation).toMatchObject({ kind: "restore", question: null });
    expect(JSON.stringify(result)).not.toMatch(/0a0b0c0d|12345|Front door/);
    expect(reportRadio(services, NAME, true).nodes.map(({ name }) => name)).toEqual(["Front door", "Front door"]);
  });
});
