/** The diagnostics of a radio network for a bug report: complete, and without secrets. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockPlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { securityKeys } from "../../src/drivers/zwave/security-keys.ts";
import type { ZWaveDriver } from "../../src/drivers/zwave/zwave-driver.ts";
import { RadioServices } from "../support/radio-services.ts";

type Value = { readonly label: string; readonly commandClass: number };
type Device = { readonly address: string; readonly values: readonly Value[]; readonly withheld: number };
type Report = {
  readonly radio: { readonly operation: object | null };
  readonly network: { readonly devices: readonly Device[]; readonly adapter: object; readonly queues: object } | null;
  readonly nodes: readonly { readonly address: string; readonly name: string | null; readonly nodeDefId: string }[];
  readonly nodedefs: readonly { readonly id: string }[];
  readonly failures: readonly object[];
  readonly troubles: readonly { readonly address: string | null; readonly detail: string }[];
};

const CODE = "48151623";
const STRANGER = "11111-22222-33333-44444-55555-01234-12345-23456";
const NAME = "Canary of the cellar";
const USER_CODE_CLASS = 0x63;
const USER_CODE_REPORT = 3;
const IN_USE = 1;
/** The lock's own report of a slot that a person filled at its keypad. */
const TOLD_CODE = "90427116";

describe("the diagnostics of a radio network", () => {
  let services: RadioServices;
  let dsk = "";
  let atQuestion = "";

  beforeAll(async () => {
    services = await RadioServices.open([switchPlan({ name: "Lamp" })]);
    await services.knows("ZW002_1");
    const { portal } = services.controller;
    const lock = await services.network.newcomer(lockPlan({ name: "Front door", security: ["S2-access-control"] }));
    dsk = lock.dsk;
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    await services.network.press(lock);
    await services.reaches("asking");
    await services.answer({ kind: "grant", security: ["S2-access-control"] });
    await services.reaches("asking");
    atQuestion = await read();
    await services.answer({ kind: "pin", pin: lock.pin });
    await services.reaches("done");
    await portal.get(`/rest/zwave/node/ZW003_1/security/user/3/set/code/${CODE}`);
    const { stack } = driver().running();
    const isStored = new Promise<void>((resolve) => {
      stack.on("node value added", (_device, { property }) => property === "userCode" && resolve());
    });
    await lock.say(0, USER_CODE_CLASS, USER_CODE_REPORT, [4, IN_USE, ...Buffer.from(TOLD_CODE)]);
    await isStored;
    await portal.put("/api/radios/zwave/provisioning", { dsk: STRANGER, security: ["S2-authenticated"] });
    await portal.post("/api/nodes/ZW002_1", { name: NAME, nodeType: "node" });
  }, 60_000);
  afterAll(() => services[Symbol.asyncDispose]());

  // The one radio of this house is a Z-Wave adapter.
  const driver = () =>
    services.controller.services.drivers.list().find(({ driver }) => driver?.network)?.driver as ZWaveDriver;
  const read = async (query = "") =>
    (await services.controller.portal.get(`/api/radios/zwave/diagnostics${query}`)).text;
  const report = async (query = "") => (JSON.parse(await read(query)) as { readonly data: Report }).data;

  test("list versions, adapter, devices with their classes and values, and the nodes made of them", async () => {
    const { network, nodes, nodedefs, ...rest } = await report();
    expect(rest).toMatchObject({
      format: 1,
      versions: { "zwave-js": expect.stringMatching(/^\d+\./), node: process.version },
      radio: { name: "zwave", state: "ready", operation: { kind: "include", stage: "done", question: null } },
    });
    expect(network).toMatchObject({
      adapter: { firmware: "7.18", isPrimary: true },
      queues: { underWay: 0, waiting: 0, asleep: {} },
      provisioned: 1,
      devices: [
        { address: "ZW002_1", state: "alive", interviewStage: "complete", listens: "always", granted: [] },
        { address: "ZW003_1", security: "S2-access-control", granted: ["S2-access-control"] },
      ],
    });
    const [lamp, lock] = network?.devices ?? [];
    expect(lamp).toMatchObject({
      endpoints: [{ index: 0, commandClasses: expect.arrayContaining([expect.objectContaining({ id: 37 })]) }],
    });
    expect(lamp?.values).toContainEqual({
      ...{ commandClass: 37, endpoint: 0, property: "currentValue", propertyKey: null },
      ...{ label: "Current value", type: "boolean", unit: null, value: false },
    });
    expect(lock?.values.filter(({ commandClass }) => commandClass === USER_CODE_CLASS)).toEqual([]);
    expect(lock?.withheld).toBeGreaterThan(0);
    const shown = nodedefs.map(({ id }) => id);
    expect(nodes.map(({ nodeDefId }) => shown.includes(nodeDefId))).toEqual(nodes.map(() => true));
  });

  test("hold no network key, no key of a device, no user code and no home id, not even during a request for one", async () => {
    const { classic, longRange } = securityKeys(driver().running().host);
    const keys = [...Object.values(classic), ...Object.values(longRange)].map((key) => Buffer.from(key));
    const secrets = [
      ...keys.flatMap((key) => [key.toString("hex"), key.toString("base64"), [...key].join(",")]),
      ...[CODE, TOLD_CODE, "d0307001", STRANGER, STRANGER.slice(6, 35), dsk, dsk.slice(6, 35), dsk.replaceAll("-", "")],
    ];
    const told = [await read(), await read("?names=no"), atQuestion].join("\n").toLowerCase();
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
    expect(atQuestion).toContain('"stage":"asking"');
    expect(secrets.filter((secret) => told.includes(secret.toLowerCase()))).toEqual([]);
  });

  test("hold names unless the caller wants none", async () => {
    const names = (each: Report) => each.nodes.map(({ name }) => name);
    expect(names(await report())).toContain(NAME);
    expect(new Set(names(await report("?names=no")))).toEqual(new Set([null]));
    expect(await read("?names=no")).not.toContain("Canary");
    expect(JSON.parse(await read("?names=maybe"))).toMatchObject({ code: "BAD_VALUE" });
  });

  test("list recent failures, also when the adapter is lost", async () => {
    services.network.device("Lamp").condition = "silent";
    await services.controller.portal.get("/rest/nodes/ZW002_1/cmd/DON");
    const { failures, troubles } = await report();
    expect(failures[0]).toMatchObject({ address: "ZW002_1", command: "DON", detail: expect.any(String) });
    expect(troubles.at(-1)).toMatchObject({ address: "ZW002_1", detail: "It no longer answers." });
    await services.unplug();
    await services.tells("NE", "ZW003_1");
    const lost = await report();
    expect(lost).toMatchObject({ network: null, radio: { state: "failed" } });
    expect(lost.troubles.at(-1)?.address).toBeNull();
    expect(lost.nodes.map(({ address }) => address)).toContain("ZW003_1");
  });
});
