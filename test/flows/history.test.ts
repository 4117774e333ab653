/** Past values of properties, over both surfaces. */

import { expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { LOCAL, startTestController } from "../support/controller.ts";

const LAMP = "1A 2B 3C 1";
const PATH = encodeURIComponent(LAMP);

async function start(settings: Partial<Config> = {}) {
  const controller = await startTestController({ localApi: true, ...settings });
  onTestFinished(() => controller[Symbol.asyncDispose]());
  await controller.login();
  const { services, clock } = controller;
  const level = async (value: number | null, afterMs = 60_000) => {
    clock.moveTo(clock.now() + afterMs);
    const property = { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: clock.now() };
    services.feed.commit({ type: "property-changed", address: LAMP, property }, { kind: "report", id: "x", by: "x" });
    await services.durability.committed(services.feed.lastSeq);
  };
  return { ...controller, controller, level, startMs: clock.now() };
}

/** A chart of wide parts may miss the last ten seconds; a question for single changes has them written. */
async function chart(controller: Awaited<ReturnType<typeof start>>["controller"], span: string) {
  await controller.local.get(`/rest/history/node/properties/get?node=${PATH}&property=ST&limit=1`);
  const answer = await controller.portal.get(`/api/history/${PATH}/ST?${span}`);
  return answer.json<{ data: { points: readonly object[] } }>().data.points;
}

test("a chart has the extremes, the mean and the last value of every part, also of a value that was before it", async () => {
  const { controller, level, startMs } = await start();
  for (const value of [10, 30, 20, 60]) await level(value);
  const iso = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  await controller.clock.advance(120_000);
  expect(await chart(controller, `from=${iso(1)}&to=${iso(7)}&points=3`)).toMatchObject([
    { count: 2, min: 10, max: 30, mean: 20, last: 30, uom: 51, prec: 0 },
    { count: 2, min: 20, max: 60, mean: 40, last: 60 },
    { count: 0, min: 60, max: 60, mean: 60, last: 60 },
  ]);
});

test("the value that held when a part began counts, and the mean is weighted by time", async () => {
  const { controller, level } = await start();
  await level(80);
  const fromMs = controller.clock.now() + 60_000;
  await level(20, 120_000);
  for (const value of [10, 0]) await level(value, 500);
  await controller.clock.advance(59_000);
  const span = `from=${new Date(fromMs).toISOString()}&to=${new Date(fromMs + 120_000).toISOString()}`;
  const [point] = await chart(controller, `${span}&points=1`);
  expect(point).toMatchObject({ count: 3, min: 0, max: 80, last: 0 });
  expect((point as { mean: number }).mean).toBeCloseTo((60 * 80 + 0.5 * 20 + 0.5 * 10) / 120);
});

test("a chart has a gap while the value was unknown", async () => {
  const { controller, level, startMs } = await start();
  await level(50);
  await level(null, 10 * 60_000);
  await level(10, 10 * 60_000);
  const iso = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  const points = await chart(controller, `from=${iso(1)}&to=${iso(31)}&points=6`);
  const unknown = { count: 0, min: null, max: null, mean: null, last: null };
  expect(points).toMatchObject([{ mean: 50 }, { mean: 50 }, unknown, unknown, { count: 1, mean: 10, last: 10 }]);
});

test("single changes come as the vendor's client reads them", async () => {
  const { controller, level, startMs } = await start();
  for (const value of [10, 30, 20]) await level(value);
  const from = new Date(startMs + 1).toISOString();
  const answer = await controller.local.get(
    `/rest/history/node/properties/get?node=${PATH}&property=ST&start=${from}&sort=DESC&limit=2`,
  );
  const time = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  const event = (minutes: number, value: number) =>
    `<event timestamp="${time(minutes)}"><value uom="51" precision="0"><scaled>${value}</scaled><float>${value}.0</float><formatted>${value}%</formatted></value></event>`;
  expect(answer.text).toContain(
    `<history><node id="${LAMP}"><properties><property id="ST" name="Status">${event(3, 20)}${event(2, 30)}</property></properties></node></history>`,
  );
});

test("recording is turned off and on by an owner, and /api/sys shows it", async () => {
  const { controller } = await start();
  const state = async () =>
    (await controller.portal.get("/api/sys")).json<{ data: { nodePropertyHistory: boolean } }>().data
      .nodePropertyHistory;
  expect(await state()).toBe(true);
  expect((await controller.local.get("/rest/history/node/properties/recording/off")).status).toBe(200);
  expect(await state()).toBe(false);
  expect((await controller.local.get("/rest/history/node/properties/recording/on")).status).toBe(200);
  expect(await state()).toBe(true);
});

test("a guest reads the history and does not turn it off; what is not there is refused", async () => {
  const { controller } = await start();
  const guest = { kind: "local", login: "guest", role: "guest", password: "a key under the mat" };
  await controller.portal.post("/api/accounts", guest);
  const headers = { Authorization: `Basic ${Buffer.from("guest:a key under the mat").toString("base64")}` };
  const asGuest = (path: string) => controller.local.request("GET", path, { headers });
  expect((await asGuest(`/rest/history/node/properties/get?node=${PATH}`)).status).toBe(200);
  expect((await asGuest("/rest/history/node/properties/recording/off")).status).toBe(403);
  expect((await controller.portal.get("/api/history/nowhere/ST")).status).toBe(404);
  expect((await controller.portal.get(`/api/history/${PATH}/ST?from=yesterday`)).status).toBe(400);
  expect(LOCAL.username).not.toBe("guest");
});

test("the log has a line for each value and command: type, time in the home's zone, user, text", async () => {
  const { controller, clock } = await start();
  await controller.local.get(`/rest/nodes/${PATH}/cmd/DON/128`);
  await clock.advance(10_000);
  const answer = await controller.local.get("/rest/log");
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; charset=UTF-8"]);
  const rows = answer.text
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split("\t"));
  for (const row of rows) {
    expect(row.length).toBe(6);
    expect(row[3]).toMatch(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/);
  }
  expect(
    rows.filter(([address, control]) => address === LAMP && control === "DON").map((row) => row.slice(4)),
  ).toContainEqual(["2", "5"]);
  const values = rows.filter(([address, control, value]) => address === LAMP && control === "ST" && value === "50 %");
  expect(values).toMatchObject([[LAMP, "ST", "50 %", matching(/^Sat 2026\/05\/02 14:00:/), "2", "5"]]);
});

test("the log begins anew for the account that resets it, and the journal stays", async () => {
  const { controller, clock } = await start();
  await controller.local.get(`/rest/nodes/${PATH}/cmd/DON/128`);
  await clock.advance(10_000);
  expect((await controller.local.get("/rest/log?reset=true")).text).toBe("");
  await clock.advance(1000);
  await controller.local.get(`/rest/nodes/${PATH}/cmd/DOF`);
  await clock.advance(10_000);
  const text = (await controller.local.get("/rest/log")).text;
  expect([text.includes("DOF"), text.includes("DON")]).toEqual([true, false]);
  expect((await controller.portal.get("/rest/log")).text).toContain("DON");
});

test("the error log says which device does not answer", async () => {
  const { controller } = await start();
  const { services } = controller;
  const property = { id: "ST", value: 1, uom: 51, prec: 0, text: null, changedAtMs: 0 };
  const cause = { kind: "report", id: "x", by: "x" } as const;
  services.feed.commit({ type: "property-changed", address: LAMP, property }, cause);
  services.feed.commit({ type: "node-link-changed", address: LAMP, link: "unreachable", before: "online" }, cause);
  await services.durability.committed(services.feed.lastSeq);
  const errors = (await controller.local.get("/rest/log/error")).text;
  expect(errors).toMatch(/^Sat 2026[^\t]+\t0\t-2\tHall Ceiling does not answer\.\r\n$/);
});

const matching = (wanted: string | RegExp) => (typeof wanted === "string" ? wanted : expect.stringMatching(wanted));
