/** The ring of a Hub 2245, and the driver on a simulated Hub. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serveHub } from "../../../simulators/insteon/serve-hub.ts";
import type { DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { SimulatedModem } from "../../../simulators/insteon/simulated-modem.ts";
import { InsteonDriver } from "../../../src/drivers/insteon/insteon-driver.ts";
import { HubRing, openHub } from "../../../src/drivers/insteon/line/hub-port.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { pass, passingUntil, passUntil } from "../../support/passing-time.ts";
import { RecordingHost } from "../recording-host.ts";

/** Each look at the ring is a request of its own. */
const HTTP_MS = 10;
const SIZE = 200;
const answerOf = (ring: string, place: number) =>
  `<response><BS>${ring.padEnd(SIZE, "0")}${place.toString(16).toUpperCase().padStart(2, "0")}</BS></response>`;

describe("the ring of a Hub", () => {
  test("gives everything that was written, in whatever portions it is read", () => {
    const portion = fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 45 });
    fc.assert(
      fc.property(fc.array(portion, { maxLength: 20 }), (portions) => {
        const reader = new HubRing();
        let [ring, place, read] = ["0".repeat(SIZE), 0, ""];
        for (const bytes of portions) {
          for (const character of Buffer.from(bytes).toString("hex")) {
            ring = ring.slice(0, place) + character + ring.slice(place + 1);
            place = (place + 1) % SIZE;
          }
          read += reader.read(answerOf(ring, place));
        }
        expect(read).toBe(Buffer.from(portions.flat()).toString("hex"));
      }),
    );
  });

  test("that was emptied in the meantime gives what was written since, without its zeros", () => {
    const reader = new HubRing();
    expect(reader.read(answerOf("0250AABBCC", 10))).toBe("0250AABBCC");
    expect(reader.read(answerOf("0262", 4))).toBe("0262");
    expect(reader.read(answerOf("", 0))).toBe("");
    expect(reader.read(answerOf("15", 2))).toBe("15");
  });

  test("is left for the next time while half a byte is written, or when it is not whole", () => {
    const reader = new HubRing();
    expect(reader.read(answerOf("025", 3))).toBe("");
    expect(reader.read("<response><BS>0250</BS></response>")).toBe("");
    expect(reader.read("nonsense")).toBe("");
    expect(reader.read(answerOf("0250", 4))).toBe("0250");
  });

  test("begins again with a command", () => {
    const reader = new HubRing();
    reader.read(answerOf("0250AABBCC", 10));
    reader.restart();
    expect(reader.read(answerOf("0262AABBCC06", 12))).toBe("0262AABBCC06");
  });
});

describe("a Hub", () => {
  const LAMP: DevicePlan = { id: [0x1a, 0x0b, 1], kind: "dimmer" };

  async function opened(password: string) {
    const clock = new VirtualClock(0);
    const modem = new SimulatedModem(clock, [LAMP]);
    const server = await serveHub(modem, "hub", "secret");
    const url = new URL(server.url.replace("hub:", "http:"));
    const host = new RecordingHost(clock);
    const driver = new InsteonDriver({
      name: "insteon",
      openPort: (signal, onLost) => openHub({ url, user: "hub", password }, clock, signal, onLost),
    });
    const starting = driver.start(host, new AbortController().signal);
    return { clock, modem, server, host, driver, starting };
  }

  test("carries commands, answers and presses", async () => {
    const { clock, modem, server, host, driver, starting } = await opened("secret");
    await passingUntil(clock, starting, HTTP_MS);
    await passUntil(clock, () => host.value("1A B 1 1", "RR") !== null, HTTP_MS);
    const signal = new AbortController().signal;
    const command = { id: "", address: "1A B 1 1", command: "DON", parameters: [], signal };
    expect(await passingUntil(clock, driver.send(command), HTTP_MS)).toEqual({ kind: "acked" });
    expect(modem.device(LAMP.id).level()).toBe(255);
    // The lamp is asked for its level after a command.
    await pass(clock, 5000, HTTP_MS);
    modem.device(LAMP.id).levels.set(1, 0);
    modem.press(modem.device(LAMP.id), 1, 0x13);
    await passUntil(clock, () => host.controls.length > 0 && host.value("1A B 1 1") === 0, HTTP_MS);
    await server.close();
    await passUntil(clock, () => host.states.at(-1) === "failed", HTTP_MS);
    await driver.stop();
  });

  test("that refuses the password is named with the reason", async () => {
    const { clock, server, starting } = await opened("wrong");
    await expect(passingUntil(clock, starting)).rejects.toThrow("user or password are wrong");
    await server.close();
  });
});
