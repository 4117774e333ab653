/** Commands for a sleeping device survive every end of the service, and their outcome is published. */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contactPlan, dimmerPlan, parameterClasses } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";

const CONTACT = "ZW003_1";
const SET = 4;

let network: SimulatedNetwork;
let server: RadioServer;
let services: TestController;
/** A directory as it stood in the moment of an answer: what a process that is killed leaves behind. */
const left = mkdtempSync(join(tmpdir(), "domovoi-sleepers-"));

beforeAll(async () => {
  network = await createSimulatedNetwork({
    devices: [
      dimmerPlan(),
      contactPlan({ security: [], classes: parameterClasses([{ number: 7, size: 2, value: 300 }]) }),
    ],
  });
  server = await serveRadio(network);
  services = await startTestController({ demo: false, zwavePort: server.url });
  await services.login();
  await told(services, () => link(services) !== null);
  await network.device("Door contact").wakeUp();
  await told(services, () => link(services) === "asleep");
}, 60_000);

afterAll(async () => {
  await services[Symbol.asyncDispose]();
  await server.close();
  await network.stop();
  rmSync(left, { recursive: true, force: true });
});

test("a code for a device that sleeps is refused: it would have to be kept", async () => {
  const { driver } = services.services.drivers.list().find(({ name }) => name === "zwave") ?? {};
  const outcome = await driver?.codes?.set(CONTACT, 1, "97531", new AbortController().signal);
  expect(outcome).toMatchObject({ kind: "failed", reason: "unreachable" });
});

test("a parameter for a sleeping device is sent when it wakes, by the service after the one that was killed", async () => {
  const device = network.device("Door contact");
  const answer = await services.portal.get(`/rest/zwave/node/${CONTACT}/config/set/7/42/2`);
  expect(answer.text).toContain('succeeded="true"');
  cpSync(services.data, left, { recursive: true });
  const { id, state } = await newest(services);
  expect(state).toBe("queued");
  await services.stop();
  await using next = await startTestController({ demo: false, zwavePort: server.url }, { data: left });
  await next.login();
  await told(next, () => next.services.queue.lives.recent().length > 0);
  expect(await newest(next)).toMatchObject({ id, state: "queued", address: CONTACT, command: "CONFIG" });
  const heard = device.hears("Configuration", SET);
  await device.wakeUp();
  expect((await heard).payload).toBe("0702002a");
  await told(next, () => settledState(next, id) !== "queued");
  expect(settledState(next, id)).toBe("acknowledged");
}, 60_000);

const PATIENCE_MS = 15_000;

/** Resolves as soon as it is so, looked at whenever the home changes. */
function told({ services: { feed } }: TestController, isSo: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => end(() => reject(new Error(`In vain: ${isSo}`))), PATIENCE_MS);
    const look = () => isSo() && end(resolve);
    const end = (settle: () => void) => {
      clearTimeout(late);
      // After the present event has been published.
      queueMicrotask(stop);
      settle();
    };
    const stop = feed.listen(look);
    look();
  });
}

function link({ services: { home } }: TestController): string | null {
  return home.nodes.get(CONTACT)?.link ?? null;
}

type Life = { readonly id: string; readonly state: string };

async function newest({ portal }: TestController): Promise<Life> {
  const [life] = (await portal.get("/api/commands")).json<{ data: Life[] }>().data;
  return life ?? { id: "", state: "none" };
}

function settledState({ services: { queue } }: TestController, id: string): string | null {
  return queue.lives.find(id)?.state ?? null;
}
