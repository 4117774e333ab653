/** Devices are let in and out of a radio network, through the interface. */

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dimmerPlan, lockPlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { RadioServices } from "../support/radio-services.ts";

const SMART_START = 1;
const BUTTON_ONLY = 0;

/** The digits of a device's code, which asks for S2 authenticated: its key, what it is, and a sum over both. */
function printedCode(dsk: string, version: number): string {
  const kind = "0010" + "04097" + "01792";
  const product = "0220" + "00634" + "00003" + "00001" + "00261";
  const content = `002${dsk.replaceAll("-", "")}${kind}${product}`;
  const sum = createHash("sha1").update(content).digest().readUInt16BE(0);
  return `90${String(version).padStart(2, "0")}${String(sum).padStart(5, "0")}${content}`;
}

describe("inclusion", () => {
  let services: RadioServices;

  beforeAll(async () => {
    services = await RadioServices.open([switchPlan({ name: "Old switch" })]);
    await services.knows("ZW002_1");
  }, 60_000);
  afterAll(() => services[Symbol.asyncDispose]());

  test("S2 with a grant and the PIN: requested, answered, encrypted, and the lock is a node", async () => {
    const { network } = services;
    const lock = await network.newcomer(lockPlan({ name: "Front door", security: ["S2-access-control", "S0"] }));
    expect((await services.order({ kind: "include" })).status).toBe(200);
    await services.reaches("waiting");
    await network.press(lock);
    const grant = await services.reaches("asking");
    expect(grant.question).toMatchObject({ kind: "grant", data: { security: ["S2-access-control", "S0"] } });
    await services.answer({ kind: "grant", security: ["S2-access-control"] });
    const pin = await services.reaches("asking");
    expect(pin.question).toMatchObject({ kind: "pin", data: { dskRest: lock.dsk.slice(5) } });
    await services.answer({ kind: "pin", pin: lock.pin });
    const done = await services.reaches("done");
    expect(done).toMatchObject({ address: "ZW003_1", result: { security: "S2-access-control" }, question: null });
    expect(services.addresses()).toContain("ZW003_1");
  });

  test("S2 with a wrong PIN: failed, and the answer says that the device is in the network without keys", async () => {
    const device = await services.network.newcomer(switchPlan({ name: "Mistyped", security: ["S2-authenticated"] }));
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    await services.network.press(device);
    await services.reaches("asking");
    await services.answer({ kind: "grant", security: ["S2-authenticated"] });
    await services.reaches("asking");
    await services.answer({ kind: "pin", pin: device.pin === "00000" ? "00001" : "00000" });
    const failed = await services.reaches("failed");
    expect(failed).toMatchObject({ address: "ZW004_1", result: { security: "none" } });
    expect(failed.detail).toContain("The PIN is wrong.");
  });

  test("a refused grant includes nothing that could pass for secure", async () => {
    const device = await services.network.newcomer(switchPlan({ name: "Refused", security: ["S2-authenticated"] }));
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    await services.network.press(device);
    await services.reaches("asking");
    await services.answer({ kind: "refuse" });
    expect((await services.reaches("failed")).detail).toContain("No security keys were granted.");
  });

  test("S0 is given to who asks for it", async () => {
    const lock = await services.network.newcomer(lockPlan({ name: "Cellar", security: ["S0"] }));
    await services.order({ kind: "include", security: "S0" });
    await services.reaches("waiting");
    await services.network.press(lock);
    expect(await services.reaches("done")).toMatchObject({ result: { security: "S0" } });
  });

  test("without encryption only on request, and the answer says so", async () => {
    const dimmer = await services.network.newcomer(dimmerPlan({ security: ["S2-authenticated"] }));
    await services.order({ kind: "include", security: "insecure" });
    await services.reaches("waiting");
    await services.network.press(dimmer);
    expect(await services.reaches("done")).toMatchObject({ result: { security: "none" } });
  });

  test("an answer that fits no question is refused and changes nothing", async () => {
    expect((await services.answer({ kind: "pin", pin: "12345" })).json()).toMatchObject({ code: "RADIO_ASKS_NOTHING" });
    const lock = await services.network.newcomer(lockPlan({ name: "Shed", security: ["S2-authenticated"] }));
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    expect((await services.order({ kind: "exclude" })).json()).toMatchObject({ code: "RADIO_BUSY" });
    await services.network.press(lock);
    await services.reaches("asking");
    expect((await services.answer({ kind: "pin", pin: "12345" })).json()).toMatchObject({ code: "BAD_VALUE" });
    const tooMuch = await services.answer({ kind: "grant", security: ["S2-access-control"] });
    expect(tooMuch.json()).toMatchObject({ code: "BAD_VALUE" });
    expect((await services.operation()).question).toMatchObject({ kind: "grant" });
    await services.cancel();
    expect((await services.reaches("cancelled")).detail).toContain("without keys");
  });

  test("canceled before a device joins: the network is closed and nothing has changed", async () => {
    const before = services.addresses();
    await services.order({ kind: "include" });
    await services.reaches("waiting");
    await services.cancel();
    await services.reaches("cancelled");
    expect(services.addresses()).toEqual(before);
    expect((await services.cancel()).json()).toMatchObject({ code: "RADIO_IDLE" });
    const late = await services.network.newcomer(switchPlan({ name: "Late" }));
    await expect(services.network.press(late)).rejects.toThrow("does not wait");
  });

  test("a device leaves at the press of its button, and its node with it", async () => {
    await services.order({ kind: "exclude" });
    await services.reaches("waiting");
    await services.network.press(services.network.device("Old switch"));
    await services.tells("NR", "ZW002_1");
    expect(await services.reaches("done")).toMatchObject({ address: "ZW002_1" });
    expect(services.addresses()).not.toContain("ZW002_1");
  });

  test("older clients begin by a path alone, under either prefix", async () => {
    const { local } = services.controller;
    expect((await local.get("/rest/zwave/node/include")).text).toContain('succeeded="true"');
    expect(await services.reaches("waiting")).toMatchObject({ kind: "include" });
    expect((await local.get("/rest/zmatter/zwave/node/exclude")).text).toContain("RADIO_BUSY");
    await services.cancel();
    await services.reaches("cancelled");
    expect((await local.get("/rest/zmatter/zwave/node/exclude")).status).toBe(200);
    await services.reaches("waiting");
    await services.cancel();
    await services.reaches("cancelled");
  });

  test("an exclusion can be cancelled", async () => {
    await services.order({ kind: "exclude" });
    await services.reaches("waiting");
    await services.cancel();
    expect(await services.reaches("cancelled")).toMatchObject({ kind: "exclude" });
  });

  test("SmartStart: who is on the list joins by itself when it gets power, with its keys", async () => {
    const { portal } = services.controller;
    const device = await services.network.newcomer(switchPlan({ name: "Self", security: ["S2-authenticated"] }));
    const entry = { dsk: device.dsk, security: ["S2-authenticated"], active: true, address: null };
    const put = await portal.put("/api/radios/zwave/provisioning", { dsk: device.dsk, security: entry.security });
    expect(put.json()).toMatchObject({ data: entry });
    await services.network.powerUp(device);
    await services.tells("ND", `ZW${String(device.id).padStart(3, "0")}_1`);
    const list = (await portal.get("/api/radios/zwave/provisioning")).json<{ data: object[] }>().data;
    expect(list).toMatchObject([{ ...entry, address: `ZW${String(device.id).padStart(3, "0")}_1` }]);
  });

  test("SmartStart: the digits of the printed code put a device on the list, with what it asks for", async () => {
    const { portal } = services.controller;
    const put = (body: object) => portal.put("/api/radios/zwave/provisioning", body);
    const { dsk } = await services.network.newcomer(switchPlan({ name: "Coded", security: ["S2-authenticated"] }));
    const qr = printedCode(dsk, SMART_START);
    expect((await put({ qr })).json()).toMatchObject({ data: { dsk, security: ["S2-authenticated"], active: true } });
    const weaker = await put({ qr, security: ["S2-unauthenticated"], active: false });
    expect(weaker.json()).toMatchObject({ data: { dsk, security: ["S2-unauthenticated"], active: false } });
    const refused = [
      await put({ qr: `${qr.slice(0, -1)}${(Number(qr.at(-1)) + 1) % 10}` }),
      await put({ qr: printedCode(dsk, BUTTON_ONLY) }),
      await put({ dsk: "12345", security: [] }),
      await put({ qr, dsk }),
      await put({ dsk }),
    ];
    expect(refused.map((answer) => answer.json<{ code: string }>().code)).toEqual([
      ...["BAD_VALUE", "BAD_VALUE", "BAD_VALUE", "BAD_BODY", "BAD_BODY"],
    ]);
    expect((await portal.delete(`/api/radios/zwave/provisioning/${dsk}`)).status).toBe(200);
    expect((await portal.delete(`/api/radios/zwave/provisioning/${dsk}`)).json()).toMatchObject({
      code: "PROVISIONED_NOT_FOUND",
    });
  });
});
