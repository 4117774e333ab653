/**
 * The air: a simulated Z-Wave network behind a TCP port, people at its devices, and a client of the service that has the
 * adapter. All three are in one process, so that one clock times a report from the device to the client's socket, and a
 * command from the client to the device.
 */

import { dimByHand } from "../../simulators/zwave/device-acts.ts";
import { dimmerPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { serveRadio } from "../../test/support/radio-server.ts";
import { arrive } from "../harness/arrivals.ts";
import { ConnectionPool } from "../harness/connection-pool.ts";
import { requestHead, type Target } from "../harness/https-connection.ts";
import { SerialTimes } from "../harness/serial-times.ts";
import { Samples, type Spread } from "../harness/statistics.ts";
import { Subscriber } from "../harness/subscriber.ts";
import { serveCalls } from "../harness/worker.ts";

export type AirInput = { readonly devices: number; readonly frameMs: number };
export type WorkInput = {
  readonly target: Target;
  readonly authorization: string;
  readonly perSecond: number;
  readonly seconds: number;
};
export type WorkOutput = {
  /** From the device to the client, or back. */
  readonly spread: Spread;
  /** The service's part of it: from the adapter's port to the client's socket. */
  readonly ofService: Spread;
  readonly missing: number;
};

const FIRST_ID = 2;
const LEVEL_SET = 1;
const LATE_MS = 5000;

let network: SimulatedNetwork | null = null;
let times: SerialTimes | null = null;
/** A level that a device has already is no news: every turn of a hand goes one further than all before. */
let turns = 0;

serveCalls({
  /** @returns what the setting zwavePort names. */
  async open({ devices, frameMs }: AirInput): Promise<string> {
    const plans = Array.from({ length: devices }, (_none, index) => dimmerPlan({ name: `Dimmer ${index + 1}` }));
    network = await createSimulatedNetwork({ devices: plans, frameMs });
    times = new SerialTimes(network);
    return (await serveRadio(times)).url;
  },

  /** Somebody turns one device after the other; each has to come to the client's socket. */
  async reports(input: WorkInput): Promise<WorkOutput> {
    const air = opened();
    const serial = watched();
    const [samples, ofService] = [new Samples(), new Samples()];
    const dueMs = new Map<string, number>();
    let whenAllSeen = (): void => {};
    const client = new Subscriber({
      target: input.target,
      path: "/rest/subscribe",
      authorization: input.authorization,
      onFrame(bytes, start, end) {
        const frame = bytes.toString("latin1", start, end);
        if (!frame.includes("<control>ST</control>")) return;
        const address = /<node>([^<]+)<\/node>/.exec(frame)?.[1] ?? "";
        const due = dueMs.get(address);
        if (due === undefined) return;
        dueMs.delete(address);
        const nowMs = performance.now();
        samples.add(nowMs - due);
        ofService.add(nowMs - serial.toldMs(nodeIdOf(address)));
        if (dueMs.size === 0) whenAllSeen();
      },
    });
    await client.upgraded();
    await arrive(input, async (index, due) => {
      const device = air.device(FIRST_ID + (index % air.adapter.devices.size));
      dueMs.set(addressOf(device.id), due);
      turns += 1;
      await dimByHand(device, 1 + (turns % 97));
    });
    if (dueMs.size > 0) {
      await new Promise<void>((resolve) => {
        whenAllSeen = resolve;
        setTimeout(resolve, LATE_MS);
      });
    }
    client.close();
    return { spread: samples.spread(), ofService: ofService.spread(), missing: dueMs.size };
  },

  /** Sends commands over HTTP and waits until the device has received the frame. */
  async commands(input: WorkInput): Promise<WorkOutput> {
    const air = opened();
    const serial = watched();
    const [samples, ofService] = [new Samples(), new Samples()];
    const pool = await ConnectionPool.open(input.target, 8);
    let missing = 0;
    await arrive(input, async (index, due) => {
      const device = air.device(FIRST_ID + (index % air.adapter.devices.size));
      const path = `/rest/nodes/${addressOf(device.id)}/cmd/DON/${1 + (index % 100)}/51`;
      const heard = device.hears("Multilevel Switch", LEVEL_SET, LATE_MS).then(
        () => {
          samples.add(performance.now() - due);
          ofService.add(serial.heardMs(device.id, due) - due);
        },
        () => (missing += 1),
      );
      await Promise.all([heard, pool.request(requestHead({ path, authorization: input.authorization }))]);
    });
    pool.close();
    return { spread: samples.spread(), ofService: ofService.spread(), missing };
  },
});

function opened(): SimulatedNetwork {
  if (network === null) throw new Error("The air is not open.");
  return network;
}

function watched(): SerialTimes {
  if (times === null) throw new Error("The air is not open.");
  return times;
}

function nodeIdOf(address: string): number {
  return Number(address.slice(2, 5));
}

function addressOf(nodeId: number): string {
  return `ZW${String(nodeId).padStart(3, "0")}_1`;
}
