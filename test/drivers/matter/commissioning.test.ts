/** Matter devices come by their code, stay over restarts, are lost and found, and go. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Operation } from "../../../src/home/operation.ts";
import { isOver } from "../../../src/home/operation.ts";
import { MANUAL_CODE, type SimulatedMatter, simulateMatter } from "../../support/matter-home.ts";
import { memoryStore, type RecordingHost } from "../recording-host.ts";

const { OnOffPlugInUnitDevice } = await import("@matter/main/devices/on-off-plug-in-unit");
const { ManualPairingCodeCodec } = await import("@matter/main/types");
const { FabricManager } = await import("@matter/main/protocol");

const OTHER_CODE = ManualPairingCodeCodec.encode({ passcode: 1, discriminator: 0 });
const PLUG = "ZM00001_001_1";
const TIMES = { startMs: 300, returnMs: 300, restartMs: 300 };

// The library has the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let storage: string;
let home: SimulatedMatter;
let plug: Awaited<ReturnType<SimulatedMatter["device"]>>;
let subject: ReturnType<SimulatedMatter["driver"]>;
const store = memoryStore();

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "matter-"));
  home = await simulateMatter(storage);
  plug = await home.device({ name: "Plug" });
  await plug.add(OnOffPlugInUnitDevice, { id: "plug" });
  await plug.start();
  subject = await started();
});

afterAll(async () => {
  await subject.driver.stop();
  await plug.close();
  await rm(storage, { recursive: true });
});

beforeEach(() => subject.host.forget());

test.each(["12345", "34970112333", "MT:Y.K9042C00KA0648G0X", "hello"])(
  "the code %j is refused before anything begins",
  (code) => {
    const begin = () => subject.driver.commissioning.begin("include", { code });
    expect(begin).toThrow(expect.objectContaining({ code: "PAIRING_CODE_INVALID" }));
    expect(subject.driver.commissioning.operation()).toBeNull();
  },
);

test("a search for a device that is not there can be canceled", async () => {
  const { commissioning } = subject.driver;
  commissioning.begin("include", { code: OTHER_CODE });
  await stage("waiting");
  commissioning.cancel();
  expect(await end()).toMatchObject({ stage: "cancelled", detail: "Canceled. Nothing was changed." });
});

test("what the certificates of a device show is a question, and a device that is refused is not added", async () => {
  subject.driver.commissioning.begin("include", { code: MANUAL_CODE });
  const { question } = await stage("asking");
  expect(question).toMatchObject({ kind: "confirm", data: { findings: [expect.stringContaining("(test)")] } });
  subject.driver.commissioning.answer({ kind: "refuse" });
  expect(await end()).toMatchObject({ stage: "failed", detail: expect.stringContaining("were not accepted") });
  expect(subject.host.nodes.size).toBe(0);
});

test("an answer that does not come in time is no", async () => {
  subject.driver.commissioning.begin("include", { code: MANUAL_CODE });
  await stage("asking");
  await subject.clock.advance(50_000);
  expect((await end()).stage).toBe("failed");
});

test("a device that is confirmed becomes a node with the name that it has", async () => {
  const last = await include(MANUAL_CODE);
  expect(last).toMatchObject({ stage: "done", address: PLUG, detail: "Plug was added." });
  await linked("online");
  expect(subject.host.nodes.get(PLUG)).toMatchObject({ name: "Plug", family: 15, primary: PLUG });
  expect([subject.host.value(PLUG), subject.host.value(PLUG, "ERR")]).toEqual([0, 0]);
  expect(subject.host.violations).toEqual([]);
});

test("after a restart the nodes are there before the device has answered", async () => {
  await subject.driver.stop();
  subject = home.driver(store, { times: TIMES });
  subject.driver.restore?.(subject.host);
  expect([...subject.host.nodes.keys()]).toEqual([PLUG]);
  expect(subject.host.links.get(PLUG)).toBeUndefined();
  await subject.driver.start(subject.host, new AbortController().signal);
  expect([subject.host.links.get(PLUG), subject.host.value(PLUG)]).toEqual(["online", 0]);
  expect(await send("DON")).toEqual({ kind: "acked" });
  await vi.waitFor(() =>
    expect(subject.host.last(PLUG, "ST")).toMatchObject({ value: 100, cause: "ack", commandId: "c" }),
  );
});

test("a device that is switched off is unreachable with its last values, and is found again", async () => {
  await plug.cancel();
  await linked("unreachable");
  expect(subject.host.value(PLUG, "ERR")).toBe(1);
  expect(subject.host.last(PLUG, "ST")).toBeNull();
  await plug.start();
  await linked("online");
  expect([subject.host.value(PLUG), subject.host.value(PLUG, "ERR")]).toEqual([100, 0]);
});

test("a device that is away at the start is unreachable with its last values, until it is back", async () => {
  await subject.driver.stop();
  await plug.cancel();
  subject = home.driver(store, { times: TIMES });
  const starting = subject.driver.start(subject.host, new AbortController().signal);
  await vi.waitFor(() => expect(subject.host.nodes.has(PLUG)).toBe(true));
  await linked("unreachable");
  await starting;
  expect(subject.host.value(PLUG, "ERR")).toBe(1);
  const given = new AbortController();
  const sent = send("DOF", given.signal);
  await new Promise((resolve) => setTimeout(resolve, 50));
  given.abort();
  expect(await sent).toMatchObject({ kind: "failed", reason: "timeout" });
  await plug.start();
  await linked("online");
  // What was given up is not done later.
  expect(subject.host.value(PLUG)).toBe(100);
  expect(await send("DON")).toEqual({ kind: "acked" });
});

test("a device that removed the controller stays as unreachable nodes until it is removed, and is the same when it comes again", async () => {
  const [fabric] = plug.env.get(FabricManager).fabrics;
  await fabric?.leave();
  await linked("unreachable");
  expect(subject.host.logLines.join("\n")).toContain("A device has left.");
  subject.driver.commissioning.begin("exclude", { address: PLUG });
  expect(await end()).toMatchObject({ stage: "done", detail: "Plug was removed." });
  expect(subject.host.nodes.size).toBe(0);
  expect((await include(MANUAL_CODE)).address).toBe(PLUG);
  await linked("online");
});

test("a device that does not answer is removed by force only, and one that does is free for others", async () => {
  subject.driver.commissioning.begin("exclude", { address: PLUG });
  expect(await end()).toMatchObject({ stage: "done" });
  await vi.waitFor(() => expect(plug.lifecycle.isCommissioned).toBe(false));
  await include(MANUAL_CODE);
  await linked("online");
  await plug.cancel();
  subject.driver.commissioning.begin("exclude", { address: PLUG, force: true });
  expect(await end()).toMatchObject({ stage: "done", detail: expect.stringContaining("Reset it") });
  expect([...subject.host.nodes.keys()]).toEqual([]);
  expect(subject.driver.network.devices()).toEqual([]);
});

test("an unknown device is not removed", () => {
  const begin = () => subject.driver.commissioning.begin("exclude", { address: "ZM00009_001_1" });
  expect(begin).toThrow(expect.objectContaining({ code: "NODE_NOT_FOUND" }));
});

async function started() {
  const made = home.driver(store, { times: TIMES });
  await made.driver.start(made.host, new AbortController().signal);
  return made;
}

function last({ host }: { readonly host: RecordingHost }): Operation {
  const found = host.operations.at(-1);
  if (!found) throw new Error("No operation has begun.");
  return found;
}

function stage(name: Operation["stage"]): Promise<Operation> {
  return vi.waitFor(() => {
    expect(last(subject).stage).toBe(name);
    return last(subject);
  }, 20_000);
}

function end(): Promise<Operation> {
  return vi.waitFor(() => {
    expect(isOver(last(subject))).toBe(true);
    return last(subject);
  }, 20_000);
}

async function include(code: string): Promise<Operation> {
  subject.driver.commissioning.begin("include", { code });
  await stage("asking");
  subject.driver.commissioning.answer({ kind: "confirm" });
  return end();
}

function linked(link: string) {
  return vi.waitFor(() => expect(subject.host.links.get(PLUG)).toBe(link), 20_000);
}

function send(command: string, signal: AbortSignal = new AbortController().signal) {
  return subject.driver.send({ id: "c", address: PLUG, command, parameters: [], signal });
}
