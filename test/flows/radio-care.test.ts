/** A radio network is cared for through the interface: repair, routes, firmware, memory, health. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  dimmerPlan,
  firmwareClasses,
  lockPlan,
  meterPlugPlan,
  switchPlan,
} from "../../simulators/zwave/device-kinds.ts";
import { RadioServices } from "../support/radio-services.ts";

/** A firmware file as its maker gives it: Intel HEX. */
function firmwareFile(bytes = 256): Buffer {
  const line = (at: number) => {
    const bytes = [16, at >> 8, at & 0xff, 0, ...Array.from({ length: 16 }, (_, index) => (at + index) & 0xff)];
    const sum = (0x100 - (bytes.reduce((total, byte) => total + byte, 0) & 0xff)) & 0xff;
    return `:${[...bytes, sum].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  };
  const lines = Array.from({ length: bytes / 16 }, (_, index) => line(index * 16));
  return Buffer.from(`${lines.join("\n")}\n:00000001FF\n`);
}

describe("care of a radio network", () => {
  let services: RadioServices;

  beforeAll(async () => {
    services = await RadioServices.open(
      [
        switchPlan({ name: "Pump", classes: firmwareClasses() }),
        dimmerPlan({ name: "Lamp" }),
        meterPlugPlan({ name: "Broken plug" }),
        switchPlan({ name: "Also broken" }),
      ],
      { radioFileBytesMax: 2_000_000 },
    );
    await services.knows("ZW005_1");
  }, 60_000);
  afterAll(() => services[Symbol.asyncDispose]());

  const health = async (address: string, how: "get" | "post" = "get") => {
    const path = `/api/radios/zwave/nodes/${address}/${how === "get" ? "health" : "ping"}`;
    return how === "get" ? services.controller.portal.get(path) : services.controller.portal.post(path);
  };

  test("the network reports its settings and its traffic", async () => {
    const answer = await services.controller.portal.get("/api/radios");
    const [radio] = answer.json<{ data: { about: object }[] }>().data;
    expect(radio).toMatchObject({
      name: "zwave",
      state: "ready",
      about: { homeId: "d0307001", nodes: 4, firmware: "7.18", isJammed: false, acceptsProvisioned: true },
    });
  });

  test("a device reports its health, and a ping queries it", async () => {
    const data = (await health("ZW003_1", "post")).json<{ data: { sent: number; roundTripMs: number } }>().data;
    expect(data).toMatchObject({ address: "ZW003_1", responding: true, route: [], routeSpeed: 100, signalDbm: -60 });
    expect(data.sent).toBeGreaterThan(0);
    expect((await health("ZW099_1")).json()).toMatchObject({ code: "NODE_NOT_FOUND" });
  });

  test("all devices report their health, by number", async () => {
    const answer = await services.controller.portal.get("/api/radios/zwave/nodes");
    const devices = answer.json<{ data: { address: string }[] }>().data;
    expect(devices.map(({ address }) => address)).toEqual(["ZW002_1", "ZW003_1", "ZW004_1", "ZW005_1"]);
    expect(devices[0]).toMatchObject({
      ...{ state: "alive", responding: true, batteryPercent: null, security: null },
      ...{ interviewStage: "complete", interviewed: true },
    });
  });

  test("a device is interviewed again, and keeps its owner's name", async () => {
    await services.controller.portal.post("/api/nodes/ZW003_1", { name: "Hall ceiling", nodeType: "node" });
    await services.order({ kind: "interview", address: "ZW003_1" });
    expect(await services.reaches("done")).toMatchObject({ kind: "interview", address: "ZW003_1" });
    expect(services.controller.services.home.nodes.get("ZW003_1")?.name).toBe("Hall ceiling");
  });

  test("one device gets new routes, then all that are awake", async () => {
    await services.order({ kind: "rebuild-routes", address: "ZW003_1" });
    expect((await services.reaches("done")).detail).toBe("The device has new routes.");
    await services.order({ kind: "rebuild-routes" });
    const done = await services.reaches("done");
    expect(done).toMatchObject({ percent: 100, detail: "4 of 4 devices have new routes." });
  });

  test("new firmware is sent to its device piece by piece, with the progress in percent", async () => {
    const from = services.stream.frames.length;
    const begun = await services.send("POST", "nodes/ZW002_1/firmware?fileName=pump.hex", firmwareFile());
    expect(begun.json()).toMatchObject({ data: { kind: "update-firmware", address: "ZW002_1" } });
    expect((await services.reaches("done")).detail).toContain("has new firmware");
    const told = services.stream.frames
      .slice(from)
      .flatMap(({ control, eventInfo }) =>
        control === "_21" ? [...eventInfo.matchAll(/percent="(\d+)"/g)].map(([, percent]) => Number(percent)) : [],
      );
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(100);
    expect(services.network.device("Pump").values.number(0, 122, "image", 0)).toBe(256);
  });

  test("an update that is cancelled in the middle leaves the old firmware", async () => {
    await services.send("POST", "nodes/ZW002_1/firmware?fileName=pump.hex", firmwareFile(4096));
    await services.reaches("working");
    await services.cancel();
    expect((await services.reaches("cancelled")).detail).toBe("Canceled. The device keeps its old firmware.");
  });

  test("an interview that is canceled continues at the device, and the answer says so", async () => {
    services.network.device("Lamp").condition = "silent";
    await services.order({ kind: "interview", address: "ZW003_1" });
    await services.reaches("interviewing");
    await services.cancel();
    expect((await services.reaches("cancelled")).detail).toBe(
      "Canceled. The interview of the device continues in the background.",
    );
    services.network.device("Lamp").condition = "awake";
  });

  test("a file that holds no firmware changes nothing, however long it is", async () => {
    await services.send("POST", "nodes/ZW002_1/firmware?fileName=pump.hex", Buffer.alloc(2_000_000, "no firmware"));
    expect((await services.reaches("failed")).detail).toBe("The file is not a readable firmware file.");
  });

  test.each([
    ["without a name", "nodes/ZW002_1/firmware", Buffer.from("x"), "BAD_VALUE"],
    ["that is empty", "nodes/ZW002_1/firmware?fileName=x.hex", Buffer.alloc(0), "BAD_BODY"],
    ["of a device that is not there", "nodes/ZW099_1/firmware?fileName=x.hex", Buffer.from("x"), "NODE_NOT_FOUND"],
    ["beyond its limit", "nodes/ZW002_1/firmware?fileName=x.hex", Buffer.alloc(2_000_001), "BODY_TOO_LARGE"],
  ])("a file %s is refused, and nothing is begun", async (_what, path, file, code) => {
    const { id } = await services.operation();
    expect((await services.send("POST", path, file)).json()).toMatchObject({ code });
    expect((await services.operation()).id).toBe(id);
  });

  test("a file goes as what it is, and by its own paths alone", async () => {
    const asText = await services.send("POST", "nodes/ZW002_1/firmware?fileName=x.hex", firmwareFile(), "text/plain");
    expect(asText.json()).toMatchObject({ code: "MEDIA_TYPE_REFUSED" });
    expect((await services.order({ kind: "restore", file: "AAAA" })).json()).toMatchObject({ code: "NOT_SUPPORTED" });
  });

  test("a device that answers is neither forgotten nor replaced", async () => {
    await services.order({ kind: "replace", address: "ZW003_1", security: "insecure" });
    expect((await services.reaches("failed")).detail).toContain("responded to a ping");
    expect(services.addresses()).toContain("ZW003_1");
  });

  test("a broken device is replaced by a new one at its address", async () => {
    services.network.device("Broken plug").condition = "silent";
    await services.order({ kind: "replace", address: "ZW004_1", security: "insecure" });
    await services.reaches("waiting");
    const fresh = await services.network.newcomer(switchPlan({ name: "New plug" }));
    await services.network.press(fresh);
    expect(await services.reaches("done")).toMatchObject({
      kind: "replace",
      address: "ZW004_1",
      result: { security: "none" },
    });
    expect(services.addresses()).toContain("ZW004_1");
  });

  test("a broken device is replaced with S2, and a replacement that is cancelled leaves it as it was", async () => {
    services.network.device("New plug").condition = "silent";
    await services.order({ kind: "replace", address: "ZW004_1" });
    await services.reaches("waiting");
    await services.cancel();
    await services.reaches("cancelled");
    await services.order({ kind: "replace", address: "ZW004_1" });
    await services.reaches("waiting");
    const lock = await services.network.newcomer(lockPlan({ security: ["S2-access-control"] }));
    await services.network.press(lock);
    await services.reaches("asking");
    await services.answer({ kind: "grant", security: ["S2-access-control"] });
    await services.reaches("asking");
    await services.answer({ kind: "pin", pin: lock.pin });
    expect(await services.reaches("done")).toMatchObject({
      address: "ZW004_1",
      result: { security: "S2-access-control" },
    });
  });

  test("a broken device is forgotten", async () => {
    services.network.device("Also broken").condition = "silent";
    await services.order({ kind: "remove-failed", address: "ZW005_1" });
    expect(await services.reaches("done")).toMatchObject({ kind: "remove-failed", address: "ZW005_1" });
    expect(services.addresses()).not.toContain("ZW005_1");
  });

  test("a reset or a restore without the home id of the network is refused", async () => {
    const refused = [
      await services.order({ kind: "reset" }),
      await services.order({ kind: "reset", confirm: "00000000" }),
      await services.send("PUT", "memory", Buffer.from("x")),
      await services.send("PUT", "memory?confirm=00000000", Buffer.from("x")),
    ];
    expect(refused.map((answer) => answer.json<{ code: string }>().code)).toEqual([
      ...["SETTINGS_REFUSED", "BAD_VALUE", "BAD_VALUE", "BAD_VALUE"],
    ]);
    expect(services.addresses()).toContain("ZW003_1");
  });

  test("the memory of the adapter is read, and written back it brings the network of then", async () => {
    const { portal } = services.controller;
    expect((await portal.get("/api/radios/zwave/memory")).json()).toMatchObject({ code: "RADIO_IDLE" });
    await services.order({ kind: "backup" });
    expect((await services.reaches("done")).percent).toBe(100);
    const memory = (await portal.get("/api/radios/zwave/memory")).bytes;
    expect(memory).toHaveLength(49_152);
    services.network.device("Lamp").condition = "silent";
    await services.order({ kind: "remove-failed", address: "ZW003_1" });
    await services.reaches("done");
    expect(services.addresses()).not.toContain("ZW003_1");
    await services.send("PUT", "memory?confirm=d0307001", memory);
    await services.reaches("done");
    expect([...services.network.adapter.devices.keys()]).toContain(3);
    await services.controller.clock.advance(1000);
    await services.tells("ND", "ZW003_1");
  });

  test("with the home id typed, the adapter forgets its network, and so does the home", async () => {
    await services.order({ kind: "reset", confirm: "D0307001" });
    await services.reaches("done");
    await services.tells("NE", "ZW002_1");
    await services.controller.clock.advance(2000);
    await services.tells("NR", "ZW002_1");
    expect(services.addresses()).toEqual([]);
  });
});
