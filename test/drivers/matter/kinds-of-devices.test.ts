/** Bridges, buttons, locks, thermostats and devices that sleep, on a simulated network. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Quantity } from "../../../src/drivers/command.ts";
import { DEVICES } from "../../support/matter-devices.ts";
import { includeDevice, type SimulatedMatter, simulateMatter } from "../../support/matter-home.ts";
import { memoryStore } from "../recording-host.ts";

const { Endpoint, ServerNode } = await import("@matter/main");
const { AggregatorEndpoint } = await import("@matter/main/endpoints/aggregator");
const { BridgedDeviceBasicInformationServer } = await import("@matter/main/behaviors/bridged-device-basic-information");
const { DoorLockServer } = await import("@matter/main/behaviors/door-lock");
const { IcdManagementServer } = await import("@matter/main/behaviors/icd-management");
const { ContactSensorDevice } = await import("@matter/main/devices/contact-sensor");
const { DimmableLightDevice } = await import("@matter/main/devices/dimmable-light");
const { DoorLockDevice } = await import("@matter/main/devices/door-lock");
const { OnOffLightDevice } = await import("@matter/main/devices/on-off-light");

const LOCK_CODE = "4711";
const WAIT = 20_000;
const NO_ROOM = 0x89;

// The library has the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let storage: string;
let home: SimulatedMatter;
let subject: ReturnType<SimulatedMatter["driver"]>;
const store = memoryStore();
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "matter-"));
  home = await simulateMatter(storage);
  subject = home.driver(store, { lockCode: LOCK_CODE });
  await subject.driver.start(subject.host, new AbortController().signal);
}, 90_000);

afterAll(async () => {
  // As long as the controller answers, nothing waits for it.
  await Promise.all(closing.map((close) => close()));
  await subject.driver.stop();
  await rm(storage, { recursive: true });
});

describe("a bridge", () => {
  let hub: Awaited<ReturnType<SimulatedMatter["device"]>>;
  const aggregator = new Endpoint(AggregatorEndpoint, { id: "home" });
  const lamp = bridged("lamp", "Reading Lamp");
  const door = new Endpoint(ContactSensorDevice.with(BridgedDeviceBasicInformationServer), {
    id: "door",
    bridgedDeviceBasicInformation: { nodeLabel: "Front Door", uniqueId: "unique door", reachable: true },
    booleanState: { stateValue: true },
  });
  const [LAMP, DOOR] = ["ZM00001_002_1", "ZM00001_003_1"];

  beforeAll(async () => {
    hub = await started({ id: "hub", name: "Hub" });
    await hub.add(aggregator);
    await aggregator.add(lamp);
    await aggregator.add(door);
    await hub.start();
    expect(await includeDevice(subject)).toMatchObject({ stage: "done", detail: "Hub was added, with 2 devices." });
    await vi.waitFor(() => expect(subject.host.links.get(LAMP)).toBe("online"), WAIT);
  }, 90_000);

  test("is shown as its devices, each one of its own with its name", () => {
    const shown = [...subject.host.nodes.values()].map(({ address, name, primary }) => [address, name, primary]);
    expect(shown).toEqual([
      [LAMP, "Reading Lamp", LAMP],
      [DOOR, "Front Door", DOOR],
    ]);
  });

  test("a device that the bridge does not reach is unreachable with its last values, and the others are not", async () => {
    await lamp.set({ onOff: { onOff: true } });
    await vi.waitFor(() => expect(subject.host.value(LAMP)).toBe(100), WAIT);
    await lamp.set({ bridgedDeviceBasicInformation: { reachable: false } });
    await vi.waitFor(() => expect(subject.host.links.get(LAMP)).toBe("unreachable"), WAIT);
    expect([subject.host.value(LAMP), subject.host.value(LAMP, "ERR"), subject.host.links.get(DOOR)]).toEqual([
      ...[100, 1, "online"],
    ]);
    await lamp.set({ bridgedDeviceBasicInformation: { reachable: true } });
    await vi.waitFor(() => expect(subject.host.links.get(LAMP)).toBe("online"), WAIT);
    expect(subject.host.value(LAMP, "ERR")).toBe(0);
  });

  test("a name that is changed at the bridge is followed, with the former name for those that an owner renamed", async () => {
    await lamp.set({ bridgedDeviceBasicInformation: { nodeLabel: "Desk Lamp" } });
    await vi.waitFor(() => expect(subject.host.nodes.get(LAMP)?.name).toBe("Desk Lamp"), WAIT);
    expect(subject.host.nodes.get(LAMP)?.formerName).toBe("Reading Lamp");
  });

  test("its devices come and go, and one that comes again under another number is the same node", async () => {
    await lamp.delete();
    await vi.waitFor(() => expect([...subject.host.nodes.keys()]).toEqual([DOOR]), WAIT);
    await aggregator.add(bridged("other", "Other Lamp"));
    await vi.waitFor(() => expect(names()).toContain("Other Lamp"), WAIT);
    const other = [...subject.host.nodes.values()].find(({ name }) => name === "Other Lamp");
    await vi.waitFor(() => expect(subject.host.links.get(other?.address ?? "")).toBe("online"), WAIT);
    expect(subject.host.value(other?.address ?? "")).toBe(0);
    const again = new Endpoint(OnOffLightDevice.with(BridgedDeviceBasicInformationServer), {
      ...{ id: "lamp-again", number: 40 },
      bridgedDeviceBasicInformation: { nodeLabel: "Desk Lamp", uniqueId: "unique lamp", reachable: true },
    });
    await aggregator.add(again);
    await vi.waitFor(() => expect(subject.host.nodes.get(LAMP)?.name).toBe("Desk Lamp"), WAIT);
    expect(await send(LAMP, "DON")).toEqual({ kind: "acked" });
    expect(again.state.onOff.onOff).toBe(true);
  });

  test("is removed with all of its devices", async () => {
    subject.driver.commissioning.begin("exclude", { address: DOOR });
    await vi.waitFor(() => expect(subject.host.nodes.size).toBe(0), WAIT);
    expect(subject.host.violations).toEqual([]);
  });

  function bridged(id: string, nodeLabel: string) {
    return new Endpoint(OnOffLightDevice.with(BridgedDeviceBasicInformationServer), {
      id,
      bridgedDeviceBasicInformation: { nodeLabel, uniqueId: `unique ${id}`, reachable: true },
    });
  }

  function names() {
    return [...subject.host.nodes.values()].map(({ name }) => name);
  }
});

describe("buttons, locks and thermostats", () => {
  const [BUTTON, LONG, PLAIN, ROCKER] = [1, 2, 3, 4].map((endpoint) => `ZM00002_00${endpoint}_1`) as [
    string,
    string,
    string,
    string,
  ];
  const [LOCK, CLIMATE, UNKNOWN_LEVEL] = ["ZM00002_005_1", "ZM00002_006_1", "ZM00002_007_1"];
  const [button, long, plain, rocker] = [
    DEVICES.button(),
    DEVICES.longButton(),
    DEVICES.plainButton(),
    DEVICES.rocker(),
  ];
  const thermostat = DEVICES.thermostat();
  const codes = new Map<number, string>();
  const usedPins: (string | null)[] = [];

  class Lock extends DoorLockServer.with("PinCredential", "User", "CredentialOverTheAirAccess") {
    override lockDoor({ pinCode }: { readonly pinCode?: unknown }) {
      usedPins.push(pinCode instanceof Uint8Array ? new TextDecoder().decode(pinCode) : null);
      this.state.lockState = 1;
    }

    override async getCredentialStatus({ credential }: { readonly credential: { readonly credentialIndex: number } }) {
      const credentialExists = codes.has(credential.credentialIndex);
      const userIndex = credentialExists ? credential.credentialIndex : null;
      return {
        credentialExists,
        userIndex,
        creatorFabricIndex: null,
        lastModifiedFabricIndex: null,
        nextCredentialIndex: null,
      } as never;
    }

    override async setCredential(request: {
      readonly operationType: number;
      readonly userIndex: number | null;
      readonly credential: { readonly credentialIndex: number };
      readonly credentialData: Uint8Array;
    }) {
      const { credentialIndex } = request.credential;
      const isOccupied =
        codes.has(credentialIndex) && (request.operationType !== 1 || request.userIndex !== credentialIndex);
      const code = new TextDecoder().decode(request.credentialData);
      const status = isOccupied || [...codes.values()].includes(code) ? NO_ROOM : 0;
      if (status === 0) codes.set(credentialIndex, code);
      return { status, userIndex: status === 0 ? credentialIndex : null, nextCredentialIndex: null } as never;
    }

    override async clearCredential({
      credential,
    }: {
      readonly credential: { readonly credentialIndex: number } | null;
    }) {
      codes.delete(credential?.credentialIndex ?? 0);
    }
  }

  const lock = new Endpoint(DoorLockDevice.with(Lock), {
    id: "lock",
    doorLock: {
      ...{ lockState: 2, lockType: 0, actuatorEnabled: true, operatingMode: 0, requirePinForRemoteOperation: true },
      ...{ numberOfPinUsersSupported: 5, numberOfTotalUsersSupported: 5, minPinCodeLength: 4, maxPinCodeLength: 8 },
      ...{ numberOfCredentialsSupportedPerUser: 1, credentialRulesSupport: { single: true } },
      ...{ wrongCodeEntryLimit: 10, userCodeTemporaryDisableTime: 10 },
      supportedOperatingModes: {
        ...{ normal: false, vacation: true, privacy: true, noRemoteLockUnlock: false, passage: true, alwaysSet: 2047 },
      },
    },
  } as never);

  beforeAll(async () => {
    const device = await started({ id: "several", name: "Several" });
    for (const each of [button, long, plain, rocker, lock, thermostat]) await device.add(each as never);
    await device.add(new Endpoint(DimmableLightDevice, { id: "dimmer", levelControl: { currentLevel: null } }));
    await device.start();
    await includeDevice(subject);
    await vi.waitFor(() => expect(subject.host.links.get(LOCK)).toBe("online"), WAIT);
  }, 90_000);

  beforeEach(() => subject.host.forget());

  test("one press is one command, and two are the command for two", async () => {
    await press(button, 10);
    await controlled(BUTTON, "DON");
    await press(button, 10);
    await press(button, 10);
    await controlled(BUTTON, "DFON");
    for (let time = 0; time < 3; time += 1) await press(button, 10);
    await controlled(BUTTON, "DON3");
  });

  test("a long press begins and ends, and is no press", async () => {
    await press(button, 150);
    await controlled(BUTTON, "BMAN", "SMAN");
    await press(long, 150);
    await controlled(LONG, "BMAN", "SMAN");
  });

  test("a button without counting sends a press when it is released, or at once where it tells nothing more", async () => {
    await press(long, 10);
    await controlled(LONG, "DON");
    await press(plain, 10);
    await controlled(PLAIN, "DON");
  });

  test("a switch that stays sends on and off", async () => {
    await rocker.set({ switch: { currentPosition: 1 } } as never);
    await controlled(ROCKER, "DON");
    await rocker.set({ switch: { currentPosition: 0 } } as never);
    await controlled(ROCKER, "DOF");
    expect(subject.host.violations).toEqual([]);
  });

  test("a lock that requires a code for commands gets the one of the settings", async () => {
    expect(await send(LOCK, "SECMD", { value: 1, uom: 84, prec: 0 })).toEqual({ kind: "acked" });
    expect(usedPins).toEqual([LOCK_CODE]);
  });

  test("codes of a lock are set, changed and cleared, and a refusal has its reason", async () => {
    const { driver } = subject;
    const { signal } = new AbortController();
    expect(driver.codes.slots(LOCK)).toBe(5);
    expect(await driver.codes.set(LOCK, 2, "824613", signal)).toEqual({ kind: "acked" });
    expect(await driver.codes.set(LOCK, 2, "990011", signal)).toEqual({ kind: "acked" });
    expect(codes).toEqual(new Map([[2, "990011"]]));
    expect(await driver.codes.set(LOCK, 3, "990011", signal)).toMatchObject({
      detail: "The lock has no room for another code.",
    });
    expect(await driver.codes.set(LOCK, 3, "12", signal)).toMatchObject({
      detail: "A code of this lock has 4 to 8 digits.",
    });
    expect(await driver.codes.set(LOCK, 6, "1234", signal)).toMatchObject({ reason: "bad-parameter" });
    expect(await driver.codes.clear(LOCK, 2, signal)).toEqual({ kind: "acked" });
    expect(codes.size).toBe(0);
    expect([driver.codes.slots(CLIMATE), driver.codes.slots("ZM00009_001_1")]).toEqual([0, 0]);
    expect(
      JSON.stringify([subject.host.reports, subject.host.logLines, store.keys().map((key) => store.get(key))]),
    ).not.toContain("990011");
  });

  test("a set-point that comes too close moves the other one first", async () => {
    await vi.waitFor(() => expect(state(thermostat).occupiedHeatingSetpoint).toBe(2000));
    expect(await send(CLIMATE, "CLISPH", { value: 2500, uom: 4, prec: 2 })).toEqual({ kind: "acked" });
    expect(state(thermostat)).toMatchObject({ occupiedHeatingSetpoint: 2500, occupiedCoolingSetpoint: 2750 });
    await vi.waitFor(() => expect(subject.host.value(CLIMATE, "CLISPC")).toBe(2750), WAIT);
    expect(await send(CLIMATE, "CLISPC", { value: 2400, uom: 4, prec: 2 })).toEqual({ kind: "acked" });
    expect(state(thermostat)).toMatchObject({ occupiedHeatingSetpoint: 2150, occupiedCoolingSetpoint: 2400 });
    await vi.waitFor(() => expect(subject.host.value(CLIMATE, "CLISPC")).toBe(2400), WAIT);
  });

  test("a set-point that would push the other one beyond its limit is refused with the reason", async () => {
    expect(await send(CLIMATE, "CLISPC", { value: 900, uom: 4, prec: 2 })).toEqual({
      ...{ kind: "failed", reason: "rejected", retryable: false },
      detail: "Heating and cooling must stay 2.5 °C apart, and the other set-point is at its limit.",
    });
  });

  test("a lamp that does not know its level reports none, and can be switched", async () => {
    expect(await send(UNKNOWN_LEVEL, "DON")).toEqual({ kind: "acked" });
    await vi.waitFor(() => expect(subject.host.last(UNKNOWN_LEVEL, "ST")).not.toBeNull(), WAIT);
    expect(subject.host.violations).toEqual([]);
  });

  async function press(endpoint: { set(values: never): Promise<void> }, spanMs: number) {
    await endpoint.set({ switch: { currentPosition: 1 } } as never);
    await new Promise((resolve) => setTimeout(resolve, spanMs));
    await endpoint.set({ switch: { currentPosition: 0 } } as never);
  }

  async function controlled(address: string, ...controls: readonly string[]) {
    const sent = () => subject.host.controls.map((each) => [each.address, each.control]);
    await vi.waitFor(() => expect(sent()).toEqual(controls.map((control) => [address, control])), WAIT);
    subject.host.forget();
  }

  function state(endpoint: { readonly state: unknown }) {
    return (endpoint.state as { readonly thermostat: Readonly<Record<string, number>> }).thermostat;
  }
});

describe("a device that sleeps long", () => {
  let sleeper = "";
  const Sleeping = IcdManagementServer.with("CheckInProtocolSupport", "LongIdleTimeSupport", "DynamicSitLitSupport");
  const LONG = 1;
  let device: Awaited<ReturnType<SimulatedMatter["device"]>>;
  const lamp = new Endpoint(OnOffLightDevice, { id: "lamp" });

  beforeAll(async () => {
    device = await started({
      ...{ id: "sleeper", name: "Sleeper", root: ServerNode.RootEndpoint.with(Sleeping) },
      more: {
        icdManagement: {
          // Longer than any device with power would be silent.
          ...{ idleModeDuration: 64_700, activeModeDuration: 300, activeModeThreshold: 5000, operatingMode: 0 },
          ...{ maximumCheckInBackoff: 64_700, clientsSupportedPerFabric: 2 },
        },
      },
    });
    await device.add(lamp);
    await device.start();
    sleeper = (await includeDevice(subject)).address ?? "";
    await vi.waitFor(() => expect(subject.host.links.get(sleeper)).toBe("online"), WAIT);
  }, 90_000);

  test("is asleep when nothing was heard from it for a while, which is no failure", async () => {
    await device.act((agent) => agent.get(Sleeping).setOperatingMode(LONG));
    await vi.waitFor(() => expect(subject.host.links.get(sleeper)).toBe("asleep"), 20_000);
    expect(subject.host.value(sleeper, "ERR")).toBe(0);
  }, 90_000);

  test("keeps commands until it wakes, and then they are done", async () => {
    expect(await send(sleeper, "DON")).toMatchObject({ kind: "queued", detail: expect.stringContaining("asleep") });
    expect(lamp.state.onOff.onOff).toBe(false);
    // It wakes to report something.
    await device.set({ basicInformation: { nodeLabel: "Dreamer" } });
    await vi.waitFor(() => expect(lamp.state.onOff.onOff).toBe(true), WAIT);
    await vi.waitFor(
      () => expect(subject.host.settlements).toMatchObject([{ id: "c", outcome: { kind: "acked" } }]),
      WAIT,
    );
  }, 90_000);
});

async function started(options: Parameters<SimulatedMatter["device"]>[0]) {
  const device = await home.device(options);
  closing.push(() => device.close());
  return device;
}

function send(address: string, command: string, quantity: Quantity | null = null) {
  const parameters = quantity === null ? [] : [{ id: "", ...quantity }];
  return subject.driver.send({ id: "c", address, command, parameters, signal: new AbortController().signal });
}
