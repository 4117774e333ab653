/**
 * A simulated Insteon modem behind a TCP port, and a client of the service that has it, in one process: one clock times a command
 * from the request to the modem, and from the device's answer to the client.
 */

import type { SimulatorClock } from "../../simulators/clock.ts";
import { serveModem } from "../../simulators/insteon/serve-modem.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import { systemClock } from "../../src/util/clock.ts";
import { pause } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import { requestHead, type Target } from "../harness/https-connection.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { serveCalls } from "../harness/worker.ts";

export type ModemInput = { readonly devices: number; readonly links: number };
export type CommandsInput = { readonly target: Target; readonly authorization: string; readonly commands: number };
export type CommandsOutput = {
  /** From the request to its answer, which follows the device's. */
  readonly spread: Spread;
  /** Without the time between modem and device. */
  readonly ofService: Spread;
  /** Link records that the service read meanwhile. */
  readonly read: number;
};

const SEND = 0x62;
const ON = 0x11;
const TABLE = 0x2f;
const PAUSE_MS = 60;

/** How often faster than a real one the modem is. */
let speed = 1;
let modem: SimulatedModem | null = null;
let commandAtMs = 0;
let answerAtMs = 0;
let reads = 0;

const clock: SimulatorClock & { elapsed(): number } = {
  ...systemClock,
  elapsed: () => systemClock.elapsed(),
  setTimer: (act, delayMs) => systemClock.setTimer(act, delayMs / speed),
};

serveCalls({
  /** @returns what the setting insteonPort names. */
  async open({ devices, links }: ModemInput): Promise<string> {
    const served = new SimulatedModem(clock, []);
    for (let at = 1; at <= devices; at += 1) {
      const device = served.link({ id: [0x1a, 0x0b, at], kind: "dimmer" });
      for (let link = 0; link < links; link += 1) device.linkAsResponder(2 + link, [0x22, 0x05, 1 + link]);
    }
    served.onCommand = (bytes) => {
      if (bytes[1] === SEND && bytes[6] === ON) commandAtMs = performance.now();
      if (bytes[1] === SEND && bytes[6] === TABLE) reads += 1;
      return true;
    };
    modem = served;
    const timed = {
      open: (host: Parameters<SimulatedModem["open"]>[0]) =>
        served.open({
          ...host,
          hear: (bytes) => {
            if (bytes[1] === 0x50 && bytes[9] === ON) answerAtMs = performance.now();
            host.hear(bytes);
          },
        }),
      unplug: () => served.unplug(),
    };
    return (await serveModem(timed)).url;
  },

  async hurry(factor: number): Promise<void> {
    speed = factor;
  },

  /** @returns when no link record was read for a second. */
  async untilRead(): Promise<void> {
    for (let before = -1; before !== reads; ) {
      before = reads;
      await pause(1000);
    }
  },

  async commands({ target, authorization, commands }: CommandsInput): Promise<CommandsOutput> {
    const [samples, ofService] = [new Samples(), new Samples()];
    const pool = await ConnectionPool.open(target, 1);
    const devices = [...(modem?.devices.values() ?? [])];
    const before = reads;
    for (let at = 0; at < commands; at += 1) {
      const device = devices[(at * 7) % devices.length];
      const address = [...(device?.id ?? []), 1].map((part) => part.toString(16).toUpperCase()).join("%20");
      const head = requestHead({ path: `/rest/nodes/${address}/cmd/DON/${1 + (at % 200)}`, authorization });
      const beginMs = performance.now();
      await pool.request(head);
      const endMs = performance.now();
      samples.add(endMs - beginMs);
      ofService.add(commandAtMs - beginMs + (endMs - answerAtMs));
      await pause(PAUSE_MS);
    }
    pool.close();
    return { spread: samples.spread(), ofService: ofService.spread(), read: reads - before };
  },
});
