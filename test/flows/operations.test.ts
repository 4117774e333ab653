/** Operations over the general port: begun, answered and cancelled without any knowledge of the kind of device. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { lockPlan, switchPlan } from "../../simulators/zwave/device-kinds.ts";
import type { Answer } from "../support/https-client.ts";
import { RadioServices } from "../support/radio-services.ts";

type Shown = {
  readonly kind: string;
  readonly stage: string;
  readonly question: { readonly kind: string; readonly data: object; readonly answer: object } | null;
  readonly result: object;
};

const PATH = "/api/integrations/zwave/operation";
let services: RadioServices;

beforeAll(async () => {
  services = await RadioServices.open([switchPlan({ name: "Old switch" })]);
}, 120_000);
afterAll(() => services[Symbol.asyncDispose]());

const { portal } = { portal: () => services.controller.portal };
const shown = (answer: Answer) => answer.json<{ data: Shown }>().data;
const now = async () => shown(await portal().get(PATH));

test("operations are described, and invalid parameters are refused", async () => {
  const kinds = (await portal().get(`${PATH}s`)).json<{ data: { kind: string; input: { required: string[] } }[] }>()
    .data;
  expect(kinds.map(({ kind }) => kind)).toEqual([
    ...["include", "exclude", "replace", "remove-failed", "interview", "rebuild-routes", "backup", "reset"],
  ]);
  expect(kinds.find(({ kind }) => kind === "replace")?.input.required).toEqual(["address"]);
  expect((await portal().get(PATH)).json()).toMatchObject({ data: null });
  for (const [body, code] of [
    [{ kind: "fly" }, "NOT_SUPPORTED"],
    [{ kind: "include", input: { security: "loud" } }, "SETTINGS_REFUSED"],
    [{ kind: "interview" }, "SETTINGS_REFUSED"],
    [{ kind: "interview", input: { address: "ZW099_1" } }, "NODE_NOT_FOUND"],
  ] as const) {
    expect((await portal().post(PATH, body)).json()).toMatchObject({ code });
  }
  expect((await portal().get("/api/integrations/nobody/operations")).status).toBe(404);
});

test("a device is included by a client that reads questions and schemas only", async () => {
  const lock = await services.network.newcomer(lockPlan({ name: "Cellar", security: ["S2-access-control"] }));
  expect((await portal().post(PATH, { kind: "include" })).status).toBe(200);
  await services.reaches("waiting");
  await services.network.press(lock);
  await services.reaches("asking");
  const grant = (await now()).question;
  expect(grant).toMatchObject({
    kind: "grant",
    data: { security: ["S2-access-control"] },
    answer: { required: ["security"], properties: { security: { type: "array" } } },
  });
  const wrong = await portal().post(`${PATH}/answer`, { kind: "grant", security: ["S9"] });
  expect(wrong.json()).toMatchObject({ code: "BAD_VALUE" });
  await portal().post(`${PATH}/answer`, { kind: "grant", security: ["S2-access-control"] });
  await services.reaches("asking");
  expect((await now()).question).toMatchObject({ kind: "pin", data: { dskRest: lock.dsk.slice(5) } });
  expect((await portal().post(`${PATH}/answer`, { kind: "pin", pin: "12" })).json()).toMatchObject({
    code: "BAD_VALUE",
  });
  await portal().post(`${PATH}/answer`, { kind: "pin", pin: lock.pin });
  await services.reaches("done");
  expect(await now()).toMatchObject({ kind: "include", question: null, result: { security: "S2-access-control" } });
}, 60_000);

test("one that is cancelled ends, and is the operation of the radio network", async () => {
  await portal().post(PATH, { kind: "exclude" });
  await services.reaches("waiting");
  expect((await portal().post(PATH, { kind: "include" })).json()).toMatchObject({ code: "RADIO_BUSY" });
  expect((await portal().delete(PATH)).status).toBe(200);
  expect(await services.reaches("cancelled")).toMatchObject({ kind: "exclude" });
  expect((await now()).stage).toBe("cancelled");
}, 60_000);
