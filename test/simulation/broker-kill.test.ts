/**
 * The service is ended by force while commands to devices on a broker are under way, and started again on what it left: what was
 * acknowledged is there, every state is the device's own, and no step of a lamp is made twice.
 */

import { expect, test } from "vitest";
import * as kinds from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../simulators/zigbee/simulated-bridge.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { OWNER } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { startPlainBroker } from "../support/mqtt-brokers.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { KILLS, SEED } from "./effort.ts";
import { startService } from "./service-process.ts";

const [LAMP, PLUG, DOOR] = ["ZB001_1", "ZB002_1", "ZB003_1"] as const;
const LIFE_MS_MAX = 600;
const SECONDS_A_KILL = 10;
/** Of a door: 79. */
const OPEN = 0;

test(
  `kill -9 amid commands to a broker loses no acknowledged write, no state, and repeats no step, ${KILLS} times`,
  async () => {
    const port = await freePort();
    const url = `mqtt://127.0.0.1:${port}`;
    const broker = await startPlainBroker(port);
    const devices = [kinds.bulb("Lamp"), kinds.plug("Plug"), kinds.contact("Door")] as const;
    const [lamp, plug, door] = devices;
    const bridge = await SimulatedBridge.start(url, devices);
    const data = temporaryDirectory();
    const randomness = seededRandomness(SEED);
    /** Names that the door had to have, in the order in which they were asked for. */
    const asked: string[] = ["Door"];
    let acknowledged = 0;
    let steps = 0;

    for (let life = 0; life <= KILLS; life += 1) {
      const { process, portalUrl, localUrl } = await startService(data, ["--mqtt-url", url]);
      await using _ending = process;
      const local = createHttpsClient(() => localUrl, basicHeader);
      const portal = await loggedIn(portalUrl);
      // The door sleeps, and is not asked: its state is the one that was stored.
      const stored = life === 0 ? {} : { [DOOR]: OPEN };
      const wanted = { ...stored, [LAMP]: percentOf(lamp.state), [PLUG]: plug.state.state === "ON" ? 100 : 0 };
      await expect.poll(() => statesOf(local), { timeout: 10_000 }).toMatchObject(wanted);
      expect(asked.slice(acknowledged)).toContain(await nameOf(portal, DOOR));
      // What was sent before arrives before this.
      expect(stepsIn(bridge)).toBeLessThanOrEqual(steps);

      const sending = [
        repeat(async (round) => {
          steps += 1;
          return (await local.get(`/rest/nodes/${LAMP}/cmd/${round % 2 === 0 ? "BRT" : "DIM"}`)).status;
        }),
        repeat(async (round) => (await local.get(`/rest/nodes/${PLUG}/cmd/${round % 2 === 0 ? "DON" : "DOF"}`)).status),
        repeat(async (round) => {
          const name = `Door ${life}.${round}`;
          asked.push(name);
          const answer = await portal.post(`/api/nodes/${DOOR}`, { name, nodeType: "node" });
          if (answer.status === 200) acknowledged = asked.length - 1;
          return answer.status;
        }),
        repeat(async (round) => {
          await bridge.report("Door", { contact: false, battery: round % 100 });
          return 200;
        }),
      ];
      await new Promise((resolve) => setTimeout(resolve, 30 + randomness.next() * LIFE_MS_MAX));
      await process.kill();
      for (const each of sending) each.stop();
      expect((await Promise.all(sending.map(({ refused }) => refused))).flat()).toEqual([]);
      local.close();
      portal.close();
    }
    expect([acknowledged, steps, door.state.contact]).toEqual([expect.any(Number), expect.any(Number), false]);
    expect(acknowledged).toBeGreaterThan(0);
    console.info(
      `${KILLS} kills (seed ${SEED}): ${acknowledged} names acknowledged, ${steps} steps sent, ${stepsIn(bridge)} made`,
    );
    expect(stepsIn(bridge)).toBeGreaterThan(0);
    expect(stepsIn(bridge)).toBeLessThanOrEqual(steps);
    await bridge.stop();
    await broker.stop();
  },
  KILLS * SECONDS_A_KILL * 1000,
);

/** One after the other until it is stopped or the service is gone. `refused`: answers that are no success. */
function repeat(act: (round: number) => Promise<number>) {
  let isOver = false;
  const run = async () => {
    const refused: number[] = [];
    for (let round = 0; !isOver; round += 1) {
      const status = await act(round).catch(() => null);
      if (status === null) break;
      if (status !== 200) refused.push(status);
    }
    return refused;
  };
  return {
    refused: run(),
    stop() {
      isOver = true;
    },
  };
}

function stepsIn({ received }: SimulatedBridge): number {
  return received.filter(({ message }) => "brightness_step_onoff" in message).length;
}

function percentOf({ state, brightness }: Readonly<Record<string, unknown>>): number {
  return state === "OFF" ? 0 : Math.max(1, Math.round((Math.min(Number(brightness), 254) * 100) / 254));
}

async function loggedIn(url: string): Promise<HttpsClient> {
  let token = "";
  const portal = createHttpsClient(
    () => url,
    () => (token === "" ? {} : { Authorization: `Bearer ${token}` }),
  );
  token = (await portal.post("/api/login", OWNER)).json<{ data: { accessToken: string } }>().data.accessToken;
  return portal;
}

async function statesOf(local: HttpsClient): Promise<Readonly<Record<string, number>>> {
  const { text } = await local.get("/rest/status");
  const found = [...text.matchAll(/<node id="(ZB\d+_1)">.*?<property id="ST" value="(-?\d*)"/gs)];
  return Object.fromEntries(found.map(([, address = "", value]) => [address, Number(value)]));
}

async function nameOf(portal: HttpsClient, wanted: string): Promise<string> {
  type Tree = { readonly data: { readonly nodes: { readonly node: readonly { address: string; name: string }[] } } };
  const { data } = (await portal.get("/api/nodes")).json<Tree>();
  return data.nodes.node.find(({ address }) => address === wanted)?.name ?? "gone";
}
