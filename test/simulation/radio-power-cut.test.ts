/** The power of the controller is cut while devices are let in; the adapter keeps its own power and its network. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockPlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { OWNER, type Tokens } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";
import type { Operation } from "../support/radio-services.ts";
import { type Service, startService } from "./service-process.ts";

/** The stages at which the power goes; at night all of them. */
const STAGES = (process.env.DOMOVOI_POWER_CUTS ?? "asking").split(" ");
const ASK_MS = 50;
const ASKS_MAX = 400;

describe("a power cut while a device is let in", () => {
  let data: string;
  let network: SimulatedNetwork;
  let server: RadioServer;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "domovoi-power-"));
    network = await createSimulatedNetwork({ devices: [switchPlan({ name: "Lamp" })] });
    server = await serveRadio(network);
  });
  afterAll(async () => {
    await server.close();
    await network.stop();
    await rm(data, { recursive: true, force: true });
  });

  test.each(STAGES)(
    "at the stage %s the next start finds the network in order, and lets a device in",
    async (stage) => {
      await withService(async (service, portal) => {
        await portal.post(OPERATION, { kind: "include" });
        await reaches(portal, "waiting");
        const lock = await network.newcomer(lockPlan({ name: `Lock ${stage}`, security: ["S2-access-control"] }));
        if (stage === "asking") await network.press(lock);
        await reaches(portal, stage);
        await service.process.kill();
      });
      await withService(async (service, portal) => {
        await nodeIsThere(portal, "ZW002_1");
        await portal.post(OPERATION, { kind: "include" });
        await reaches(portal, "waiting");
        const device = await network.newcomer(switchPlan({ name: `After ${stage}` }));
        await network.press(device);
        const done = await reaches(portal, "done");
        expect(done.address).toBe(`ZW${String(device.id).padStart(3, "0")}_1`);
        await service.process.kill();
      });
    },
    120_000,
  );

  async function withService(work: (service: Service, portal: HttpsClient) => Promise<void>): Promise<void> {
    const service = await startService(data, ["--zwave-port", server.url]);
    let token = "";
    const portal = createHttpsClient(
      () => service.portalUrl,
      () => ({ Authorization: `Bearer ${token}` }),
    );
    try {
      const answer = await portal.request("POST", "/api/login", {
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(OWNER),
      });
      token = answer.json<{ data: Tokens }>().data.accessToken;
      await radioIsUp(portal);
      await nodeIsThere(portal, "ZW002_1");
      await work(service, portal);
    } finally {
      portal.close();
      await service.process.kill();
    }
  }
});

const OPERATION = "/api/integrations/zwave/operation";

/** Asks until it is so. @throws Error after twenty seconds. */
async function reaches(portal: HttpsClient, stage: string): Promise<Operation> {
  for (let ask = 0; ask < ASKS_MAX; ask += 1) {
    const operation = (await portal.get(OPERATION)).json<{ data: Operation | null }>().data;
    if (operation?.stage === stage) return operation;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  throw new Error(`The operation did not come to "${stage}".`);
}

/** The doors are open before that. */
async function radioIsUp(portal: HttpsClient): Promise<void> {
  for (let ask = 0; ask < ASKS_MAX; ask += 1) {
    const radio = (await portal.get("/api/radios/zwave")).json<{ data: { state: string } }>().data;
    if (radio.state === "ready") return;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  throw new Error("The radio did not come up.");
}

async function nodeIsThere(portal: HttpsClient, address: string): Promise<void> {
  for (let ask = 0; ask < ASKS_MAX; ask += 1) {
    if ((await portal.get("/api/nodes")).text.includes(`"${address}"`)) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  throw new Error(`The node ${address} did not come.`);
}
