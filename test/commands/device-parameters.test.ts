/** Writes into devices: parameters of radio devices, user codes of locks. */

import { describe, expect, test } from "vitest";
import {
  clearLockCode,
  readDeviceParameter,
  setLockCode,
  writeDeviceParameter,
} from "../../src/commands/device-parameters.ts";
import type { Outcome } from "../../src/drivers/command.ts";
import type { DeviceParameter, Driver } from "../../src/drivers/driver.ts";
import { codeOf, createServices, REQUEST, spec, told } from "./command-services.ts";

const LOCK = "ZW002_1";
const CODE = "739154";
const ACKED: Outcome = { kind: "acked" };

type Radio = { answer: () => Promise<Outcome>; readonly written: unknown[] };

async function radioServices(slots = 3, known: DeviceParameter | null = { number: 7, size: 2, value: -5 }) {
  const radio: Radio = { answer: async () => ACKED, written: [] };
  const write = (...written: unknown[]) => {
    radio.written.push(written);
    return radio.answer();
  };
  const more: Partial<Driver> = {
    parameters: {
      known: () => [],
      get: async (_address, number) => (number === known?.number ? known : null),
      set: (_address, parameter) => write(parameter),
    },
    codes: {
      slots: () => slots,
      set: (_address, slot, code) => write(slot, code),
      clear: (_address, slot) => write(slot),
    },
  };
  const services = await createServices({}, more);
  services.host.node(spec(LOCK, "LOCK"));
  return { services, radio };
}

describe("parameters", () => {
  test("a parameter that is read is answered and published", async () => {
    const { services } = await radioServices();
    const parameter = { number: 7, size: 2, value: -5 };
    await expect(readDeviceParameter(services, LOCK, 7, REQUEST)).resolves.toEqual(parameter);
    expect(told(services, "device-parameter")).toEqual([{ type: "device-parameter", address: LOCK, ...parameter }]);
  });

  test.each([
    [1, -128],
    [1, 255],
    [2, 65_535],
    [4, -2_147_483_648],
    [4, 4_294_967_295],
  ])("a parameter of %i bytes takes %i", async (size, value) => {
    const { services, radio } = await radioServices();
    await writeDeviceParameter(services, LOCK, { number: 3, size, value }, REQUEST);
    expect(radio.written).toEqual([[{ number: 3, size, value }]]);
    expect(told(services, "device-parameter")).toMatchObject([{ number: 3, size, value }]);
  });

  test.each([0, 65_535])("the number %i is one of a parameter", async (number) => {
    const { services, radio } = await radioServices();
    await writeDeviceParameter(services, LOCK, { number, size: 1, value: 1 }, REQUEST);
    expect(radio.written).toEqual([[{ number, size: 1, value: 1 }]]);
  });

  test.each([
    [{ number: 3, size: 3, value: 1 }, "BAD_PARAMETER_SIZE"],
    [{ number: 3, size: 0, value: 1 }, "BAD_PARAMETER_SIZE"],
    [{ number: 3, size: 1, value: 256 }, "BAD_VALUE"],
    [{ number: 3, size: 1, value: -129 }, "BAD_VALUE"],
    [{ number: 3, size: 2, value: 1.5 }, "BAD_VALUE"],
    [{ number: -1, size: 1, value: 1 }, "PARAMETER_NOT_FOUND"],
    [{ number: 65_536, size: 1, value: 1 }, "PARAMETER_NOT_FOUND"],
  ])("%o is %s", async (parameter, code) => {
    const { services, radio } = await radioServices();
    expect(await codeOf(writeDeviceParameter(services, LOCK, parameter, REQUEST))).toBe(code);
    expect(radio.written).toEqual([]);
  });

  test.each([
    [1, 256, "The value does not fit into 1 byte."],
    [2, 65_536, "The value does not fit into 2 bytes."],
  ])("the error of a value of %i bytes that is %i", async (size, value, message) => {
    const { services } = await radioServices();
    const write = writeDeviceParameter(services, LOCK, { number: 3, size, value }, REQUEST);
    await expect(write).rejects.toMatchObject({ code: "BAD_VALUE", message });
  });

  test("a value that was only sent is not reported as accepted", async () => {
    const { services, radio } = await radioServices();
    radio.answer = async () => ({ kind: "sent" });
    await writeDeviceParameter(services, LOCK, { number: 3, size: 1, value: 1 }, REQUEST);
    expect(told(services, "device-parameter")).toEqual([]);
  });

  test("unknown parameters, failures, exceptions and drivers without parameters have distinct errors", async () => {
    const { services, radio } = await radioServices();
    expect(await codeOf(readDeviceParameter(services, LOCK, 8, REQUEST))).toBe("PARAMETER_NOT_FOUND");
    expect(await codeOf(readDeviceParameter(services, "nowhere", 8, REQUEST))).toBe("NODE_NOT_FOUND");
    radio.answer = async () => ({ kind: "failed", reason: "rejected", detail: "", retryable: false });
    const write = () => writeDeviceParameter(services, LOCK, { number: 3, size: 1, value: 1 }, REQUEST);
    expect(await codeOf(write())).toBe("DEVICE_FAILED");
    const plain = await createServices();
    plain.host.node(spec(LOCK));
    expect(await codeOf(readDeviceParameter(plain, LOCK, 8, REQUEST))).toBe("NOT_SUPPORTED");
    const broken = await createServices(
      {},
      { parameters: { known: () => [], get: async () => Promise.reject(new TypeError("no")), set: write as never } },
    );
    broken.host.node(spec(LOCK));
    expect(await codeOf(readDeviceParameter(broken, LOCK, 8, REQUEST))).toBe("DEVICE_FAILED");
  });
});

describe("user codes", () => {
  test("a code goes to the driver and into no entry, log line or trace", async () => {
    const { services, radio } = await radioServices();
    await setLockCode(services, LOCK, 2, CODE, REQUEST);
    await clearLockCode(services, LOCK, 3, REQUEST);
    expect(radio.written).toEqual([[2, CODE], [3]]);
    expect(services.queue.lives.recent().map(({ command, detail }) => [command, detail])).toEqual([
      ["CODE_CLEAR", "Slot 3."],
      ["CODE_SET", "Slot 2."],
    ]);
    expect(JSON.stringify([services.entries, services.lines])).not.toContain(CODE);
  });

  test.each<[string, Radio["answer"]]>([
    ["refuses", async () => ({ kind: "failed", reason: "rejected", detail: `No ${CODE}.`, retryable: false })],
    ["throws", async () => Promise.reject(new Error(`Cannot set ${CODE}.`))],
    ["sleeps", async () => ({ kind: "queued", detail: `${CODE} waits.` })],
  ])("a driver that %s does not give the code away", async (_claim, answer) => {
    const { services, radio } = await radioServices();
    radio.answer = answer;
    const ended = await setLockCode(services, LOCK, 2, CODE, REQUEST).catch((error: Error) => error.message);
    expect(JSON.stringify([ended ?? "", services.entries, services.lines])).not.toContain(CODE);
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
    const { services, radio } = await radioServices();
    const error = await setLockCode(services, LOCK, slot, code, REQUEST).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: expected });
    expect(error.message).not.toContain(code);
    expect(radio.written).toEqual([]);
  });

  test("clearing a code fails when the lock refuses", async () => {
    const { services, radio } = await radioServices();
    radio.answer = async () => ({ kind: "failed", reason: "rejected", detail: "", retryable: false });
    expect(await codeOf(clearLockCode(services, LOCK, 3, REQUEST))).toBe("DEVICE_FAILED");
  });

  test("a node that is no lock has no codes", async () => {
    const { services } = await radioServices(0);
    expect(await codeOf(clearLockCode(services, LOCK, 1, REQUEST))).toBe("NOT_SUPPORTED");
    const plain = await createServices();
    plain.host.node(spec(LOCK));
    expect(await codeOf(clearLockCode(plain, LOCK, 1, REQUEST))).toBe("NOT_SUPPORTED");
  });
});
