/**
 * A day beside Home Assistant: test/fixtures/way-in/day.json has the changes of a day, and what the automations did in a real Home
 * Assistant (test/peers/home_assistant_day.py records it). The programs that they become get the same day. Every difference is named here.
 */

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SimulatedHomeAssistant } from "../../simulators/homeassistant/simulated-home-assistant.ts";
import { hexId } from "../../src/home/programs.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { startWayInHome } from "../support/way-in-home.ts";

type Change = { readonly at: string; readonly entity: string; readonly state: string; readonly attributes?: object };
type Did = {
  readonly at: string;
  readonly by?: string;
  readonly entity: string;
  readonly service: string;
  readonly value?: number | string;
};
type Day = { readonly date: string; readonly changes: readonly Change[]; readonly actions: readonly Did[] };

const DAY = JSON.parse(readFileSync(new URL("../fixtures/way-in/day.json", import.meta.url), "utf8")) as Day;
/** Of Central European Summer Time. */
const MIDNIGHT_MS = Date.parse(`${DAY.date}T00:00:00+02:00`);
const [SECOND_MS, DAY_MS] = [1000, 86_400_000];
/** After a change something happens for so long; in between the day goes by in longer steps. */
const BUSY_S = 12;
const STEP_S = 10;
const NEAR_S = 15;
/** The report says "not translated" of these. */
const NOT_TRANSLATED = ["waits_for_a_template", "evening_level"];

/** As docs/home-assistant.md has them. */
const DIFFERENCES = {
  there: [
    // Half an hour before sunset, which both calculate.
    "20:09:20 light.sofa turn_on 60 by lamp_before_dusk",
  ],
  here: [
    // The door was closed for half a minute when its program was enabled.
    "23:50:30 light.hall turn_off",
    // A second press of the same kind in a row changes no attribute there.
    "14:00:01 light.sofa turn_on",
    "14:30:01 light.sofa turn_off",
    "20:10:02 light.sofa turn_on 60",
  ],
};
/** Asks for values, once a night. */
const QUERY = "update_entity";

let controller: TestController;
let simulated: SimulatedHomeAssistant;
let receiver: Server;
const clock = new VirtualClock(MIDNIGHT_MS - 600_000);
const did: Did[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    did.push({ at: time(), entity: "notify", service: "notify", value: await text(request) });
    response.writeHead(200).end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  simulated = await startWayInHome();
  controller = await startTestController({}, { clock });
  await controller.login();
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await simulated.stop();
  receiver.close();
});

const secondNow = () => Math.floor((clock.now() - MIDNIGHT_MS) / SECOND_MS);
const time = () => new Date(clock.now() - MIDNIGHT_MS).toISOString().slice(11, 19);
const secondOf = (at: string) => at.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

function noteCalls(): void {
  for (const { entity, service, data } of simulated.calls.splice(0)) {
    const level = typeof data.brightness === "number" ? Math.round((data.brightness * 100) / 255) : undefined;
    const value = [data.position, data.temperature, level].find((each) => typeof each === "number");
    did.push({ at: time(), entity, service, ...(typeof value === "number" && { value }) });
  }
}

/** Both ends are in this process: some turns of its event loop carry a message there and the answer back. */
const TURNS = 6;

/** A second at a time where something happens, and turns of the event loop for the sockets. */
async function passTo(second: number, busyUntil: number): Promise<void> {
  while (secondNow() < second) {
    const left = second - secondNow();
    const step = secondNow() < busyUntil ? 1 : Math.min(STEP_S, left);
    await clock.advance(step * SECOND_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 1));
    noteCalls();
  }
}

async function install(): Promise<void> {
  const add = (type: string, name: string, settings: object) =>
    controller.portal.post("/api/integrations", { type, name, settings, enabled: true });
  await add("homeassistant", "Home Assistant", { url: simulated.url, token: "token 1" });
  await add("ntfy", "phone", { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/home` });
  await vi.waitUntil(() => controller.services.integrations.find("homeassistant").state === "ready", {
    timeout: 20_000,
  });
  await controller.portal.post("/api/move-in/from/homeassistant", {});
  for (const program of controller.services.home.programs.values()) {
    if (program.kind !== "program" || !program.comment.startsWith("Home Assistant, ")) continue;
    // As the report says: what another one runs stays disabled, what a start of the machine runs is not of this day.
    const isRun = program.comment.includes("It stays disabled") || program.comment.includes("k15_foreign");
    if (!isRun) await controller.portal.post(`/api/programs/${hexId(program.id)}`, { enabled: true });
  }
}

const textOf = ({ at, entity, service, value }: Did) => `${at} ${entity} ${service} ${value ?? ""}`.trimEnd();
const isSame = (a: Did, b: Did) =>
  a.entity === b.entity &&
  (a.entity === "notify" || (a.service === b.service && a.value === b.value)) &&
  Math.abs(secondOf(a.at) - secondOf(b.at)) <= NEAR_S;

test("the programs of a day do what the automations did there, but for what is named", async () => {
  await install();
  let busyUntil = 0;
  for (const { at, entity, state, attributes = {} } of DAY.changes) {
    await passTo(secondOf(at), busyUntil);
    simulated.set(entity, state, { ...attributes });
    busyUntil = secondNow() + BUSY_S;
  }
  await passTo(DAY_MS / SECOND_MS - 30, busyUntil);
  const there = DAY.actions
    .filter(({ by = "" }) => !NOT_TRANSLATED.includes(by))
    .map((each) => (each.entity.startsWith("notify.") ? { ...each, entity: "notify" } : each));
  expect(there.length).toBeGreaterThan(250);
  const here = did.filter(({ service }) => service !== QUERY);
  const onlyThere = there.filter((each) => {
    const found = here.findIndex((own) => isSame(own, each));
    if (found >= 0) here.splice(found, 1);
    return found < 0;
  });
  expect({ there: onlyThere.map((each) => `${textOf(each)} by ${each.by}`), here: here.map(textOf) }).toEqual(
    DIFFERENCES,
  );
}, 120_000);
