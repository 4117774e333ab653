/** A calendar from outside: a node that is on while an event lasts, read again by its headers, over a restart, while its server is away. */

import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { passUntil } from "../support/passing-time.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const NODE = "n000_calendar";
/** In 30 minutes for an hour, and tomorrow. */
const TODAY =
  "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Cleaning\r\nDTSTART:20260502T123000Z\r\nDTEND:20260502T133000Z\r\nEND:VEVENT";
const TOMORROW = "BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:Holiday\r\nDTSTART;VALUE=DATE:20260503\r\nEND:VEVENT";
const ENDLESS =
  "BEGIN:VEVENT\r\nUID:3\r\nSUMMARY:Bad\r\nDTSTART:20200101T000000Z\r\nDURATION:PT1S\r\nRRULE:FREQ=SECONDLY\r\nEND:VEVENT";

const clock = new VirtualClock(START_MS);
const asked: IncomingHttpHeaders[] = [];
let text = calendarOf(TODAY, TOMORROW);
let controller: TestController;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers);
    if (request.url === "/elsewhere")
      return void response.writeHead(302, { Location: "http://169.254.169.254/" }).end();
    const etag = `"${text.length}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { ETag: etag, "Content-Type": "text/calendar" }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path.ics`;
  controller = await startTestController({ networkTargets: ["127.0.0.1"] }, { clock });
  await controller.login();
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  server.close();
});

function calendarOf(...events: readonly string[]): string {
  return ["BEGIN:VCALENDAR", ...events, "END:VCALENDAR", ""].join("\r\n");
}

const property = (id: string) => controller.services.home.nodes.get(NODE)?.properties.get(id);
const state = () => {
  const [on, event, next, nextEvent] = ["ST", "GV1", "GV2", "GV3"].map((id) => property(id));
  return [on?.value, event?.text ?? null, next?.value ?? null, nextEvent?.text ?? null];
};
const driver = (id = "calendar") => controller.services.drivers.find(id);
const add = async (settings: object) => {
  // A session lasts shorter than these calendars.
  await controller.login();
  return controller.portal.post("/api/integrations", { type: "calendar", settings });
};
const data = (answer: Answer) => answer.json<{ data: { id: string } }>().data.id;
const refusal = (answer: Answer) => [answer.status, answer.json<{ code: string }>().code];
const seconds = (iso: string) => Date.parse(iso) / 1000;
const readAgain = () => controller.local.get(`/rest/query/${NODE}`);

describe("a calendar", () => {
  test("is a node that is on while an event lasts, with the title and the next beginning", async () => {
    expect((await add({ url, title: "Home Calendar" })).status).toBe(200);
    await passUntil(clock, () => property("GV3")?.text === "Cleaning");
    expect(controller.services.home.nodes.get(NODE)).toMatchObject({ name: "Home Calendar", role: "binary-sensor" });
    expect(state()).toEqual([0, null, seconds("2026-05-02T12:30Z"), "Cleaning"]);
    await clock.advance(START_MS + 30 * MINUTE_MS - clock.now() - 1);
    expect(property("ST")?.value).toBe(0);
    await clock.advance(1);
    expect(state()).toEqual([1, "Cleaning", seconds("2026-05-02T22:00Z"), "Holiday"]);
    const shown = await controller.local.get(`/rest/status/${NODE}`);
    expect(shown.text).toContain('formatted="Cleaning"');
    await clock.advance(HOUR_MS);
    expect(state()).toEqual([0, null, seconds("2026-05-02T22:00Z"), "Holiday"]);
  });

  test("keeps its address out of the record, the answers and the log", async () => {
    await controller.login();
    const list = (await controller.portal.get("/api/integrations")).text;
    expect([list, JSON.stringify(controller.lines)].map((each) => each.includes("secret-path"))).toEqual([
      false,
      false,
    ]);
  });

  test("is asked for again by its header, and read again when it has changed", async () => {
    const before = asked.length;
    await readAgain();
    await passUntil(clock, () => asked.length > before);
    expect(asked.slice(before).map((headers) => headers["if-none-match"])).toEqual([`"${text.length}"`]);
    text = calendarOf(TODAY, TOMORROW.replace("Holiday", "Public Holiday"));
    await readAgain();
    await passUntil(clock, () => property("GV3")?.text === "Public Holiday");
  });

  test("does not follow a redirect to where it may not go", async () => {
    const id = data(await add({ url: url.replace("/secret-path.ics", "/elsewhere") }));
    await passUntil(clock, () => driver(id)?.state === "degraded");
    expect(driver(id)?.detail).toContain("Requests to 169.254.169.254 are not allowed.");
    expect((await controller.portal.delete(`/api/integrations/${id}?nodes=remove`)).status).toBe(200);
  });

  test("is on where it was over a restart and without its server, and says that the server does not answer", async () => {
    await new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await controller.restart();
    await controller.login();
    await passUntil(clock, () => driver()?.state === "degraded");
    expect(driver()?.detail).toBe("The address does not answer (ECONNREFUSED). What was read last still counts.");
    await clock.advance(Date.parse("2026-05-02T22:00Z") - clock.now());
    expect(state()).toEqual([1, "Public Holiday", null, null]);
  });
});

test("a calendar in a file is read again when the file has changed, and only the events with its words count", async () => {
  const file = join(controller.data, "waste.ics");
  await writeFile(
    file,
    calendarOf(
      TODAY.replace("20260502T123000Z", "20260504T050000Z").replace("20260502T133000Z", "20260504T060000Z"),
      ENDLESS,
    ),
  );
  expect((await add({ file, words: "clean, paper", title: "Waste" })).status).toBe(200);
  const next = () => controller.services.home.nodes.get("n000_calendar2")?.properties.get("GV3")?.text;
  await passUntil(clock, () => next() === "Cleaning");
  expect([driver("calendar2")?.state, driver("calendar2")?.detail]).toEqual([
    "degraded",
    "1 events were left out: they repeat more often than every hour, or cannot be read.",
  ]);
  await writeFile(file, calendarOf());
  await controller.local.get("/rest/query/n000_calendar2");
  await passUntil(clock, () => driver("calendar2")?.state === "ready");
  expect(next() ?? null).toBeNull();
  await writeFile(file, "<html>no calendar</html>");
  await controller.local.get("/rest/query/n000_calendar2");
  await passUntil(clock, () => driver("calendar2")?.state === "degraded");
  expect(driver("calendar2")?.detail).toBe("The answer is no calendar. What was read last still counts.");
});

test("a calendar that takes too long to read is given up after 30 seconds, and the controller answers meanwhile", async () => {
  const file = join(controller.data, "hours.ics");
  const hourly = (_: unknown, at: number) =>
    `BEGIN:VEVENT\r\nUID:h${at}\r\nSUMMARY:Hour\r\nDTSTART:19700101T000000Z\r\nDURATION:PT1M\r\nRRULE:FREQ=HOURLY\r\nEND:VEVENT`;
  await writeFile(file, calendarOf(...Array.from({ length: 2000 }, hourly)));
  const id = data(await add({ file, title: "Hours" }));
  expect((await controller.portal.get("/api/persons")).status).toBe(200);
  await passUntil(clock, () => driver(id)?.state === "degraded");
  expect(driver(id)?.detail).toContain("The calendar takes too long to read.");
  expect((await controller.portal.delete(`/api/integrations/${id}?nodes=remove`)).status).toBe(200);
}, 60_000);

test.each([
  ["neither address nor file", {}],
  ["both", { url: "https://example.org/a.ics", file: "/a" }],
  ["another scheme", { url: "ftp://example.org/a.ics" }],
  ["an interval of a minute", { url: "https://example.org/a.ics", minutes: 1 }],
])("settings with %s are refused", async (_name, settings) =>
  expect(refusal(await add(settings))).toEqual([400, "SETTINGS_REFUSED"]),
);

test("an address of this machine or of a cloud's metadata is not asked", async () => {
  const id = data(await add({ url: "http://169.254.169.254/calendar.ics" }));
  await passUntil(clock, () => driver(id)?.state === "degraded");
  expect(driver(id)?.detail).toContain("Requests to 169.254.169.254 are not allowed.");
});
