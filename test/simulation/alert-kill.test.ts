/**
 * Alerts over `kill -9` and a takeover, in every stage: a delivery that had begun is repeated and no other one, an answer that was
 * acknowledged counts and its button works, and what rings goes on.
 */

import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { postgres, stopPostgres } from "../store/engines.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { basicHeader } from "./clients.ts";
import { ALERT_KILLS } from "./effort.ts";
import { CREDENTIALS, DomovoiProcess, serveArguments, untilReady } from "./service-process.ts";

const ROUND_MS_MAX = 90_000;
const SOURCES = join(import.meta.dirname, "../../src/cli/domovoi.ts");
const WITNESS = pathToFileURL(join(import.meta.dirname, "program-kills/witness.ts")).href;
const LAMP = "1A 2B 3C 1";
const WITHIN = { timeout: 20_000 };

type Machines = { readonly folders: readonly string[]; readonly settings: Record<string, unknown> };
type Alert = { readonly node: string; readonly status: string; readonly name: string };

stopPostgres();

test(
  `kill -9 in every stage of an alert, ${ALERT_KILLS} times: what rings goes on, at most the one step under way is repeated`,
  () => endInEveryStage({ folders: [temporaryDirectory()], settings: {} }),
  ROUND_MS_MAX * ALERT_KILLS,
);

test(
  `another machine takes over in every stage of an alert, ${ALERT_KILLS} times: at most the one step under way is repeated`,
  async () => {
    const settings = { storeUrl: await (await postgres()).database(), leaseMs: 500 };
    await endInEveryStage({ folders: [temporaryDirectory(), temporaryDirectory()], settings });
  },
  ROUND_MS_MAX * ALERT_KILLS,
);

async function endInEveryStage({ folders, settings }: Machines): Promise<void> {
  const witness = join(folders[0] ?? "", "witness.txt");
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  }
  writeFileSync(witness, "");
  await using receiver = await Receiver.start();
  let lives = 0;
  const start = () => {
    const folder = folders[lives++ % folders.length] ?? "";
    const env = { ...CREDENTIALS, NODE_OPTIONS: `--import=${WITNESS}`, DOMOVOI_WITNESS: witness };
    const args = ["--demo", "--still", "--local-api", "--config", join(folder, "settings.json")];
    return new DomovoiProcess(serveArguments(folder, args), { env, command: SOURCES });
  };
  let service = start();
  let client = await clientOf(service);
  const again = async () => {
    client.close();
    await service.kill();
    receiver.release();
    service = start();
    client = await clientOf(service);
  };
  const added = await client.post("/api/integrations", {
    type: "webhook",
    name: "hook",
    settings: { url: receiver.url },
  });
  expect([added.status, added.text]).toEqual([200, expect.any(String)]);
  for (let round = 0; round < ALERT_KILLS; round += 1) {
    const name = `Alert ${round}`;
    const alert = async () =>
      (await dataOf<readonly Alert[]>(client, "/api/alerts")).find((each) => each.name === name);
    const button1 = `Light: Set 'Hall Ceiling' [${LAMP}] On`;
    await operate(client, "add-alert", { name, text: "It rings.", order: "hook", button1 });
    const { node: node1 = "" } = (await alert()) ?? {};
    receiver.texts.length = 0;

    // In the midst of a delivery: the receiver has it and has not answered.
    receiver.hold();
    await command(client, node1, "DON");
    await expect.poll(() => receiver.texts.length, WITHIN).toBe(1);
    await again();
    await expect.poll(() => receiver.texts, WITHIN).toEqual(["It rings.", "It rings."]);
    expect((await alert())?.status).toBe("ringing");

    // After a delivery that is noted: nothing is repeated.
    await pause(1500);
    await again();
    await pause(2000);
    expect([receiver.texts.length, (await alert())?.status]).toEqual([2, "ringing"]);

    // At once after an answer was acknowledged: it counts, with its button.
    const before = timesOn(witness);
    const answered = await client.post(`/api/alerts/${node1}/answer`, { button: 1 });
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('"first":true')]);
    await again();
    expect(await alert()).toMatchObject({ status: "confirmed", answer: { button: "Light" } });
    const second = await client.post(`/api/alerts/${node1}/answer`, { button: 1 });
    expect(second.text).toContain('"first":false');
    await expect
      .poll(() => receiver.texts.filter((text) => text.startsWith("Confirmed")).length, WITHIN)
      .toBeGreaterThan(0);
    await pause(1000);
    expect(receiver.texts.filter((text) => text.startsWith("Confirmed")).length).toBeLessThanOrEqual(2);
    expect(timesOn(witness) - before).toBeGreaterThanOrEqual(1);
    expect(timesOn(witness) - before).toBeLessThanOrEqual(2);

    // While an answer is under way: it counts once, before or after.
    await command(client, node1, "DOF");
    await command(client, node1, "DON");
    await expect
      .poll(() => receiver.texts.filter((text) => text === "It rings.").length, WITHIN)
      .toBeGreaterThanOrEqual(3);
    void client.post(`/api/alerts/${node1}/answer`, {}).catch(() => {});
    await pause(round * 3);
    await again();
    const { status = "" } = (await alert()) ?? {};
    const later = await client.post(`/api/alerts/${node1}/answer`, {});
    expect(later.text).toContain(`"first":${status === "ringing"}`);
    expect((await alert())?.status).toBe("confirmed");

    // In the midst of its end.
    await command(client, node1, "DOF");
    await pause(round * 3);
    await again();
    await expect.poll(async () => (await alert())?.status, WITHIN).toMatch(/off|confirmed/);
    await command(client, node1, "DOF");
    await expect.poll(() => receiver.texts.filter((text) => text === "It is over.").length, WITHIN).toBeGreaterThan(0);
    expect((await alert())?.status).toBe("off");
    await operate(client, "remove-alert", { alert: name });
  }
  client.close();
  service.signal("SIGTERM");
  const { stderr } = await service.ended;
  expect(stderr.split("\n").filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

/** Takes what the web hook of the alerts delivers, and answers unless it holds. */
class Receiver implements AsyncDisposable {
  readonly texts: string[] = [];
  readonly #server = createServer(async (request, response) => {
    const { text, alert } = (await json(request)) as { readonly text: string; readonly alert?: string };
    // The controller's own alarms come here too.
    if (alert !== undefined) this.texts.push(text);
    if (this.#held) this.#held.push(response);
    else response.end();
  });
  #held: ServerResponse[] | null = null;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    for (const each of this.#held ?? []) each.end();
    this.#held = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function operate(client: HttpsClient, kind: string, input: object): Promise<void> {
  const path = "/api/integrations/alerts/operation";
  const begun = await client.post(path, { kind, input });
  expect([begun.status, begun.text]).toEqual([200, expect.any(String)]);
  const stage = async () => (await dataOf<{ readonly stage: string }>(client, path)).stage;
  await expect.poll(stage, WITHIN).toBe("done");
}

async function clientOf(service: DomovoiProcess): Promise<HttpsClient> {
  const { localUrl } = await untilReady(service);
  const client = createHttpsClient(() => localUrl, basicHeader);
  // Drivers start behind the listeners.
  const state = async () => (await dataOf<{ readonly state: string }>(client, "/api/integrations/alerts")).state;
  await expect.poll(state, WITHIN).toBe("ready");
  return client;
}

async function command(client: HttpsClient, address: string, id: string): Promise<void> {
  const { status } = await client.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${id}`);
  expect(status).toBe(200);
}

async function dataOf<T>(client: HttpsClient, path: string): Promise<T> {
  return (await client.get(path)).json<{ data: T }>().data;
}

/** How often the lamp was told to turn on. */
function timesOn(witness: string): number {
  return readFileSync(witness, "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`${LAMP}\tDON`)).length;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
