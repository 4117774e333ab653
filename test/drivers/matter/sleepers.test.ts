/** Commands for a Matter device that sleeps long: on disk without the lock's code, sent when it wakes, ended once. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { parseConfig } from "../../../src/config.ts";
import type { Quantity } from "../../../src/drivers/command.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { includeDevice, type SimulatedMatter, simulateMatter } from "../../support/matter-home.ts";
import { CONTROLLER, recordingLog } from "../../support/test-store.ts";

const { Endpoint, ServerNode } = await import("@matter/main");
const { IcdManagementServer } = await import("@matter/main/behaviors/icd-management");
const { DoorLockServer } = await import("@matter/main/behaviors/door-lock");
const { DoorLockDevice } = await import("@matter/main/devices/door-lock");
const { OnOffLightDevice } = await import("@matter/main/devices/on-off-light");

// The library has the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

const CODE = "73920184";
const WAIT = 20_000;
const LONG = 1;
const SHORT = 0;
const Sleeping = IcdManagementServer.with("CheckInProtocolSupport", "LongIdleTimeSupport", "DynamicSitLitSupport");
const codes: string[] = [];

class Lock extends DoorLockServer.with("PinCredential", "CredentialOverTheAirAccess", "User") {
  override lockDoor({ pinCode }: { readonly pinCode?: Uint8Array }) {
    codes.push(new TextDecoder().decode(pinCode));
    this.state.lockState = 1;
  }
}

let storage: string;
let dir: string;
let store: Store;
let home: SimulatedMatter;
let device: Awaited<ReturnType<SimulatedMatter["device"]>>;
let subject: ReturnType<SimulatedMatter["driver"]>;
const lamp = new Endpoint(OnOffLightDevice, { id: "lamp" });
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
  storage = await mkdtemp(join(tmpdir(), "matter-"));
  dir = mkdtempSync(join(tmpdir(), "domovoi-sleepers-"));
  const clock = new VirtualClock(0);
  store = await openStore({ bootId: "boot", dir, clock, log: recordingLog(), config: parseConfig({ data: dir }) });
  store.createHome(CONTROLLER);
  home = await simulateMatter(storage);
  device = await home.device({
    ...{ id: "sleeper", name: "Sleeper", root: ServerNode.RootEndpoint.with(Sleeping) },
    more: {
      icdManagement: {
        // Longer than any device with power would be silent.
        ...{ idleModeDuration: 64_700, activeModeDuration: 300, activeModeThreshold: 5000, operatingMode: 0 },
        ...{ maximumCheckInBackoff: 64_700, clientsSupportedPerFabric: 2 },
      },
    },
  });
  for (const each of [lamp, lock]) await device.add(each as never);
  await device.start();
  subject = home.driver(store.driverStore("matter"), { lockCode: CODE });
  await subject.driver.start(subject.host, new AbortController().signal);
  await includeDevice(subject);
  await vi.waitFor(() => expect(subject.host.links.get(address(lamp))).toBe("online"), WAIT);
}, 90_000);

afterAll(async () => {
  await subject.driver.stop();
  await device.close();
  await store.close();
  await rm(storage, { recursive: true });
  rmSync(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  await device.act((agent) => agent.get(Sleeping).setOperatingMode(LONG));
  await vi.waitFor(() => expect(subject.host.links.get(address(lamp))).toBe("asleep"), WAIT);
  subject.host.forget();
  subject.host.settlements.length = 0;
  subject.host.written.length = 0;
});

test("a command for a lock that needs a code waits without the code, and is done with it when the lock wakes", async () => {
  expect(await send(lock, "SECMD", { value: 1, uom: 84, prec: 0 })).toMatchObject({ kind: "queued" });
  expect(subject.host.written).toEqual([{ address: address(lock), phase: "pending", active: true }]);
  await store.driverStore("matter").saved();
  expect(codeIn(dir)).toEqual([]);
  expect(subject.host.logLines.join("\n")).not.toContain(CODE);
  await wake();
  await vi.waitFor(() => expect(subject.host.settlements).toMatchObject([{ outcome: { kind: "acked" } }]), WAIT);
  expect(codes).toEqual([CODE]);
  expect(subject.host.written.at(-1)).toMatchObject({ phase: "pending", active: false });
  expect(waiting()).toEqual([]);
});

test("after a restart a waiting command is still known, and is sent once when the device wakes", async () => {
  expect((await send(lamp, "DON")).kind).toBe("queued");
  await subject.driver.stop();
  expect(waiting()).toHaveLength(1);
  await subject.driver.start(subject.host, new AbortController().signal);
  expect(subject.host.settlements).toMatchObject([{ id: "c", command: "DON", outcome: { kind: "queued" } }]);
  await wake();
  await vi.waitFor(
    () => expect(subject.host.settlements.map(({ outcome }) => outcome.kind)).toEqual(["queued", "acked"]),
    WAIT,
  );
  expect(lamp.state.onOff.onOff).toBe(true);
});

test("a device that does not wake ends its commands by itself after a week", async () => {
  expect((await send(lamp, "DOF")).kind).toBe("queued");
  await subject.clock.advance(7 * 86_400_000);
  expect(subject.host.settlements).toMatchObject([{ outcome: { kind: "failed", reason: "timeout" } }]);
  expect(waiting()).toEqual([]);
});

test("actions that an earlier version stored, with the code, are ended and not kept", async () => {
  await subject.driver.stop();
  const own = store.driverStore("matter");
  const stored = { id: "old", address: address(lock), command: "SECMD", actions: [{ pinCode: CODE }] };
  own.set("waiting", [stored]);
  const again = home.driver(own, { lockCode: CODE });
  await again.driver.restore(again.host);
  expect(again.host.settlements).toMatchObject([{ id: "old", outcome: { kind: "failed", retryable: true } }]);
  expect(own.keys()).not.toContain("waiting");
  await subject.driver.start(subject.host, new AbortController().signal);
  await device.act((agent) => agent.get(Sleeping).setOperatingMode(SHORT));
});

test("when the device is removed, what waits for it ends before its nodes are gone", async () => {
  expect((await send(lamp, "DON")).kind).toBe("queued");
  const before = subject.host.settlements.length;
  const gone = subject.host.gone.bind(subject.host);
  let settledBefore = -1;
  subject.host.gone = (each) => {
    if (each === address(lamp)) settledBefore = subject.host.settlements.length;
    gone(each);
  };
  subject.driver.commissioning.begin("exclude", { address: address(lamp), force: true });
  await vi.waitFor(() => expect(subject.host.nodes.has(address(lamp))).toBe(false), WAIT);
  expect(settledBefore).toBe(before + 1);
  expect(subject.host.settlements.at(-1)).toMatchObject({
    id: "c",
    outcome: { kind: "failed", reason: "unreachable" },
  });
  expect(waiting()).toEqual([]);
});

function address({ number }: { readonly number: number }): string {
  return `ZM00001_${String(number).padStart(3, "0")}_1`;
}

function waiting(): readonly string[] {
  return store
    .driverStore("matter")
    .keys()
    .filter((key) => key.startsWith("waiting"));
}

/** It wakes to report something. */
let names = 0;
async function wake() {
  names += 1;
  await device.set({ basicInformation: { nodeLabel: `Dreamer ${names}` } });
}

function send(endpoint: { readonly number: number }, command: string, quantity: Quantity | null = null) {
  const parameters = quantity === null ? [] : [{ id: "", ...quantity }];
  const { signal } = new AbortController();
  return subject.driver.send({ id: "c", address: address(endpoint), command, parameters, signal });
}

/** Files with the code, as text or as the numbers of its bytes. */
function codeIn(folder: string): readonly string[] {
  const bytes = [...Buffer.from(CODE)];
  const spelled = [
    CODE,
    bytes.join(","),
    bytes.map((byte, at) => `"${at}":${byte}`).join(","),
    Buffer.from(CODE).toString("base64"),
    Buffer.from(CODE).toString("hex"),
  ];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  expect(files.length).toBeGreaterThan(0);
  return files
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => {
      const text = readFileSync(path, "latin1");
      return spelled.some((each) => text.includes(each));
    });
}
