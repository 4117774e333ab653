/** What is written into devices: parameters of radio devices, user codes of locks. */

import { describe, expect, test } from "vitest";
import { recentCommands } from "../../src/commands/command-life.ts";
import {
  clearLockCode,
  readDeviceParameter,
  setLockCode,
  writeDeviceParameter,
} from "../../src/commands/device-parameters.ts";
import type { DeviceParameter, Driver, Outcome } from "../../src/drivers/driver.ts";
import { codeOf, createHouse, REQUEST, spec, told } from "./command-house.ts";

const LOCK = "ZW002_1";
const CODE = "739154";
const ACKED: Outcome = { kind: "acked" };

type Radio = { answer: () => Promise<Outcome>; readonly written: unknown[] };

async function radioHouse(slots = 3, known: DeviceParameter | null = { number: 7, size: 2, value: -5 }) {
  const radio: Radio = { answer: async () => ACKED, written: [] };
  const write = (...written: unknown[]) => {
    radio.written.push(written);
    return radio.answer();
  };
  const more: Partial<Driver> = {
    parameters: {
      get: async (_address, number) => (number === known?.number ? known : null),
      set: (_address, parameter) => write(parameter),
    },
    codes: {
      slots: () => slots,
      set: (_address, slot, code) => write(slot, code),
      clear: (_address, slot) => write(slot),
    },
  };
  const house = await createHouse({}, more);
  house.host.node(spec(LOCK, "LOCK"));
  return { house, radio };
}

describe("parameters", () => {
  test("a parameter that is read is answered and told", async () => {
    const { house } = await radioHouse();
    const parameter = { number: 7, size: 2, value: -5 };
    await expect(readDeviceParameter(house, LOCK, 7, REQUEST)).resolves.toEqual(parameter);
    expect(told(house, "device-parameter")).toEqual([{ type: "device-parameter", address: LOCK, ...parameter }]);
  });

  test.each([
    [1, -128],
    [1, 255],
    [2, 65_535],
    [4, -2_147_483_648],
    [4, 4_294_967_295],
  ])("a parameter of %i bytes takes %i", async (size, value) => {
    const { house, radio } = await radioHouse();
    await writeDeviceParameter(house, LOCK, { number: 3, size, value }, REQUEST);
    expect(radio.written).toEqual([[{ number: 3, size, value }]]);
    expect(told(house, "device-parameter")).toMatchObject([{ number: 3, size, value }]);
  });

  test.each([
    [{ number: 3, size: 3, value: 1 }, "BAD_PARAMETER_SIZE"],
    [{ number: 3, size: 0, value: 1 }, "BAD_PARAMETER_SIZE"],
    [{ number: 3, size: 1, value: 256 }, "BAD_VALUE"],
    [{ number: 3, size: 1, value: -129 }, "BAD_VALUE"],
    [{ number: 3, size: 2, value: 1.5 }, "BAD_VALUE"],
    [{ number: -1, size: 1, value: 1 }, "PARAMETER_NOT_FOUND"],
  ])("%o is %s", async (parameter, code) => {
    const { house, radio } = await radioHouse();
    expect(await codeOf(writeDeviceParameter(house, LOCK, parameter, REQUEST))).toBe(code);
    expect(radio.written).toEqual([]);
  });

  test("what only left the house is not told as taken", async () => {
    const { house, radio } = await radioHouse();
    radio.answer = async () => ({ kind: "sent" });
    await writeDeviceParameter(house, LOCK, { number: 3, size: 1, value: 1 }, REQUEST);
    expect(told(house, "device-parameter")).toEqual([]);
  });

  test("unknown parameters, failures, exceptions and drivers without parameters are told apart", async () => {
    const { house, radio } = await radioHouse();
    expect(await codeOf(readDeviceParameter(house, LOCK, 8, REQUEST))).toBe("PARAMETER_NOT_FOUND");
    expect(await codeOf(readDeviceParameter(house, "nowhere", 8, REQUEST))).toBe("NODE_NOT_FOUND");
    radio.answer = async () => ({ kind: "failed", reason: "rejected", detail: "", retryable: false });
    const write = () => writeDeviceParameter(house, LOCK, { number: 3, size: 1, value: 1 }, REQUEST);
    expect(await codeOf(write())).toBe("DEVICE_FAILED");
    const plain = await createHouse();
    plain.host.node(spec(LOCK));
    expect(await codeOf(readDeviceParameter(plain, LOCK, 8, REQUEST))).toBe("NOT_SUPPORTED");
    const broken = await createHouse(
      {},
      { parameters: { get: async () => Promise.reject(new TypeError("no")), set: write as never } },
    );
    broken.host.node(spec(LOCK));
    expect(await codeOf(readDeviceParameter(broken, LOCK, 8, REQUEST))).toBe("DEVICE_FAILED");
  });
});

describe("user codes", () => {
  test("a code goes to the driver and into no entry, log line or trace", async () => {
    const { house, radio } = await radioHouse();
    await setLockCode(house, LOCK, 2, CODE, REQUEST);
    await clearLockCode(house, LOCK, 3, REQUEST);
    expect(radio.written).toEqual([[2, CODE], [3]]);
    expect(recentCommands(house).map(({ command, detail }) => [command, detail])).toEqual([
      ["CODE_CLEAR", "Slot 3."],
      ["CODE_SET", "Slot 2."],
    ]);
    expect(JSON.stringify([house.entries, house.lines])).not.toContain(CODE);
  });

  test.each<[string, Radio["answer"]]>([
    ["refuses", async () => ({ kind: "failed", reason: "rejected", detail: `No ${CODE}.`, retryable: false })],
    ["throws", async () => Promise.reject(new Error(`Cannot set ${CODE}.`))],
    ["sleeps", async () => ({ kind: "queued", detail: `${CODE} waits.` })],
  ])("a driver that %s does not give the code away", async (_claim, answer) => {
    const { house, radio } = await radioHouse();
    radio.answer = answer;
    const ended = await setLockCode(house, LOCK, 2, CODE, REQUEST).catch((error: Error) => error.message);
    expect(JSON.stringify([ended ?? "", house.entries, house.lines])).not.toContain(CODE);
  });

  test.each([
    [2, "123", "BAD_VALUE"],
    [2, "12345678901", "BAD_VALUE"],
    [2, "12a4", "BAD_VALUE"],
    [2, "١٢٣٤", "BAD_VALUE"],
    [0, CODE, "CODE_SLOT_NOT_FOUND"],
    [4, CODE, "CODE_SLOT_NOT_FOUND"],
    [1.5, CODE, "CODE_SLOT_NOT_FOUND"],
    [Number.NaN, CODE, "CODE_SLOT_NOT_FOUND"],
  ])("slot %d with code %s is %s", async (slot, code, expected) => {
    const { house, radio } = await radioHouse();
    const error = await setLockCode(house, LOCK, slot, code, REQUEST).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: expected });
    expect(error.message).not.toContain(code);
    expect(radio.written).toEqual([]);
  });

  test("what is no lock has no codes", async () => {
    const { house } = await radioHouse(0);
    expect(await codeOf(clearLockCode(house, LOCK, 1, REQUEST))).toBe("NOT_SUPPORTED");
    const plain = await createHouse();
    plain.host.node(spec(LOCK));
    expect(await codeOf(clearLockCode(plain, LOCK, 1, REQUEST))).toBe("NOT_SUPPORTED");
  });
});
