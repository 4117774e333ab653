/** A service that starts while its adapter does not answer yet, or is not there. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dimByHand } from "../../simulators/zwave/device-acts.ts";
import { dimmerPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";

const LAMP = "ZW002_1";
const LEVEL = 37;
const LEVEL_SET = 1;

describe("a service that knows its radio devices from before", () => {
  let data: string;
  let network: SimulatedNetwork;
  let server: RadioServer;

  const start = (zwavePort: string, awaitsRadios: boolean) =>
    startTestController({ demo: false, zwavePort }, { data, awaitsRadios });

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "domovoi-radio-start-"));
    // Nobody is silent here; a machine under load must not make it look so.
    network = await createSimulatedNetwork({ devices: [dimmerPlan()], noAckMs: 5000 });
    server = await serveRadio(network);
    await using first = await start(server.url, true);
    await tells(first, 0);
    await dimByHand(network.device(2), LEVEL);
    await tells(first, LEVEL);
    await server.close();
  }, 60_000);

  afterAll(async () => {
    await server.close();
    await network.stop();
    await rm(data, { recursive: true });
  });

  test("shows them as they were last known while the adapter does not answer, and a command waits for it", async () => {
    const speech = Promise.withResolvers<void>();
    server = await serveRadio(network, 0, speech.promise);
    await using controller = await start(server.url, false);
    await controller.login();
    expect(await shown(controller)).toEqual({ value: String(LEVEL), definition: 200 });
    const heard = network.device(2).hears("Multilevel Switch", LEVEL_SET, 30_000);
    const turnedOff = controller.portal.get(`/rest/nodes/${LAMP}/cmd/DOF`);
    speech.resolve();
    expect((await turnedOff).status).toBe(200);
    expect((await heard).payload.slice(0, 2)).toBe("00");
    await server.close();
  }, 60_000);

  test("lets an operation on the network wait for the adapter, as a command does", async () => {
    const speech = Promise.withResolvers<void>();
    server = await serveRadio(network, 0, speech.promise);
    await using controller = await start(server.url, false);
    await controller.login();
    const begun = controller.portal.post("/api/integrations/zwave/operation", { kind: "exclude" });
    expect((await controller.portal.get("/api/radios/zwave")).json()).toMatchObject({ data: { state: "starting" } });
    speech.resolve();
    expect((await begun).json()).toMatchObject({ data: { kind: "exclude" } });
    await server.close();
  }, 60_000);

  test("shows them without the adapter, and says at once that a command cannot go out", async () => {
    await using controller = await start(server.url, true);
    await controller.login();
    expect((await shown(controller)).definition).toBe(200);
    expect((await controller.portal.get(`/rest/nodes/${LAMP}/cmd/DOF`)).status).toBe(503);
  });

  test("can be ended while it waits for the adapter, with the command that waits", async () => {
    server = await serveRadio(network, 0, new Promise(() => {}));
    const controller = await start(server.url, false);
    await controller.login();
    const turnedOff = controller.services.drivers.of("zwave").send({
      id: "1",
      address: LAMP,
      command: "DOF",
      parameters: [],
      signal: new AbortController().signal,
    });
    await controller[Symbol.asyncDispose]();
    expect(await turnedOff).toMatchObject({ kind: "failed", reason: "not-ready" });
    await server.close();
  });
});

async function shown({ portal }: TestController) {
  const status = await portal.get(`/rest/status/${LAMP}`);
  const definition = await portal.get(`/rest/zwave/node/${LAMP}/def/get`);
  return { value: /<property id="ST" value="(\d*)"/.exec(status.text)?.[1], definition: definition.status };
}

/** Resolves when the lamp has reported this level. */
function tells({ services: { home, feed } }: TestController, level: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (home.nodes.get(LAMP)?.properties.get("ST")?.value === level) resolve();
    };
    feed.listen(look);
    look();
  });
}
