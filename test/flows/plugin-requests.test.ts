/** What clients of the originals read of a plugin that runs, and what they ask the plugin itself. */

import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });
/** Doubles a number, refuses a word, and keeps silent otherwise. The library for Node has no call for it. */
const ANSWERS = `
poly.on("mqttConnected", () => poly._mqttClient.on("message", (topic, text) => {
  const { customRequest } = JSON.parse(text);
  if (!customRequest) return;
  const { requestId, payload } = customRequest;
  const answer = (given) => poly._sendMessage({ customResponse: { requestId, payload: given } }, "system");
  if (payload.number) answer({ body: { twice: payload.number * 2 } });
  else if (payload.word === "none") answer({ body: null, errorMessage: "Not supported", status: 501 });
  else if (payload.word) answer({ body: null, errorMessage: "No " + payload.word, status: 500 });
}));
`;

let controller: TestController;
let one: string;

beforeAll(async () => {
  controller = await startTestController({ demo: false, pluginStartMs: 600_000 });
  await controller.login();
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  const archive = await lampArchive({}, ANSWERS);
  const answer = await controller.portal.request("POST", "/api/plugins?name=Lamp", { headers, body: archive });
  one = `/api/plugin/${answer.json<{ data: { profileNum: number } }>().data.profileNum}`;
  const state = async () => (await controller.portal.get(one)).json<{ data: { state: string } }>().data.state;
  await vi.waitFor(async () => expect(await state()).toBe("running"), WAIT);
}, 60_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

async function dataOf<T>(path: string): Promise<T> {
  const answer = await controller.portal.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json<{ data: T }>().data;
}

test("lists, slots, notices, details, words and tools have the shapes that clients read", async () => {
  const [lamp] = await dataOf<readonly object[]>("/api/plugins");
  expect(lamp).toMatchObject({ name: "Lamp", nsid: "plugin", isLocal: true, aiSupport: false, desc: null });
  expect(await dataOf("/api/plugins/dashboard")).toEqual([
    { profileNum: 1, nsid: "plugin", name: "Lamp", isLocal: true },
  ]);
  const slots = await dataOf<readonly object[]>("/api/plugins/connections");
  expect(slots.slice(0, 2)).toEqual([
    { profileNum: 1, name: "Lamp", owner: "Domovoi" },
    { profileNum: 2, name: null, owner: null },
  ]);
  await controller.services.drivers.find("plugin")?.plugin?.store("notices", { key: "Look here" });
  expect(await dataOf("/api/plugins/notices")).toEqual({ "1": { key: "Look here" } });
  expect(await dataOf(`${one}/notices`)).toEqual({ key: "Look here" });
  expect(await dataOf(`${one}/details`)).toMatchObject({
    profileNum: 1,
    isLicensed: true,
    discover: true,
    isyAccess: false,
  });
  expect([await dataOf(`${one}/prompt`), await dataOf(`${one}/tools`)]).toEqual([null, []]);
  expect((await controller.portal.get("/api/plugin/9/tools")).status).toBe(404);
});

test("the log is a zip file with the same text", async () => {
  const { text } = await dataOf<{ text: string }>(`${one}/log`);
  const answer = await controller.portal.get(`${one}/log/download`);
  expect(answer.headers["content-type"]).toBe("application/zip");
  const file = unzipSync(answer.bytes)["debug.log"];
  expect(
    Buffer.from(file ?? [])
      .toString()
      .slice(0, 200),
  ).toBe(text.slice(0, 200));
});

test("a request reaches the plugin, and its answer, refusal or silence comes back", async () => {
  const ask = async (payload: object, timeout?: number) => {
    const body = { payload, ...(timeout !== undefined && { timeout }) };
    const answer = await controller.portal.post(`${one}/request`, body);
    const { data, code, error } = answer.json<{ data: unknown; code?: string; error?: string }>();
    return [answer.status, code ?? data, ...(error === undefined ? [] : [error])];
  };
  expect(await Promise.all([ask({ number: 21 }), ask({ number: 4 })])).toEqual([
    [200, { twice: 42 }],
    [200, { twice: 8 }],
  ]);
  expect(await ask({ word: "none" })).toEqual([501, "NOT_SUPPORTED", "The plugin: Not supported"]);
  expect(await ask({ word: "bread" })).toEqual([503, "DEVICE_FAILED", "The plugin: No bread"]);
  const silent = ask({}, 5000);
  await vi.waitFor(async () => {
    await controller.clock.advance(1000);
    expect(await Promise.race([silent, Promise.resolve(null)])).toEqual([
      503,
      "DEVICE_TIMEOUT",
      "The plugin did not answer in time.",
    ]);
  }, WAIT);
});

test("the way of the vendor's portal is refused, and so are services of the machine", async () => {
  for (const path of [
    `${one}/oauth/cloudlink`,
    `${one}/oauth/token`,
    "/api/udx/rest/udx.sys.ops/services.ops/stop_service/x",
  ]) {
    const answer = await controller.portal.post(path, {});
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([501, "OPERATION_UNAVAILABLE"]);
  }
});
