/** Programs in the whole service: what happens at a device starts them, what they do reaches devices and clients. */

import { afterEach, describe, expect, test } from "vitest";
import type { Change, Entry } from "../../src/home/change.ts";
import { startTestController, type TestController, type TestOptions } from "../support/controller.ts";
import type { Frame } from "../support/frame-stream.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
const [MOTION, DARK, HALL] = ["2D 7F E1 1", "2D 7F E1 2", "1A 2B 3C 1"] as const;
const MOTION_LIGHT = 8;

const open: TestController[] = [];

async function start(settings: Parameters<typeof startTestController>[0] = {}, options: TestOptions = {}) {
  const controller = await startTestController(settings, options);
  open.push(controller);
  return controller;
}

afterEach(async () => {
  for (const controller of open.splice(0)) await controller[Symbol.asyncDispose]();
});

/** Somebody walks through the hall in the dark. */
async function walk(controller: TestController): Promise<void> {
  const driver = controller.services.drivers.of("virtual");
  driver.simulation?.act(DARK, "DON", null);
  driver.simulation?.act(MOTION, "DON", null);
  await controller.clock.advance(10);
}

const level = ({ services }: TestController, address: string) =>
  services.home.nodes.get(address)?.properties.get("ST")?.value;
const isProgram = (id: string) => (frame: Frame) =>
  frame.control === "_1" && frame.eventInfo.startsWith(`<id>${id}</id>`);
const statusOf = (frame: Frame) => /<s>(..)<\/s>/.exec(frame.eventInfo)?.[1];

function record(controller: TestController): Entry[] {
  const entries: Entry[] = [];
  controller.services.feed.listen((entry) => entries.push(entry));
  return entries;
}

describe("a motion light", () => {
  test("turns on at motion, and off after its wait", async () => {
    const controller = await start();
    await walk(controller);
    expect(level(controller, HALL)).toBeGreaterThan(0);
    await controller.clock.advance(5 * MINUTE);
    expect(level(controller, HALL)).toBe(0);
  });

  test("its commands are caused by its run, and its run by what the sensor sent", async () => {
    const controller = await start();
    const entries = record(controller);
    await walk(controller);
    const command = entries.find(({ change }) => change.type === "command-moved");
    const ran = entries.find(({ change }) => change.type === "program-ran" && change.id === MOTION_LIGHT);
    expect(command?.cause).toMatchObject({ kind: "program", by: String(MOTION_LIGHT) });
    expect(command?.cause.id).toMatch(/^8-\d+-\d+$/);
    expect(ran?.cause).toMatchObject({ kind: "report", by: "virtual" });
  });

  test("clients receive running while it waits, and idle at its end", async () => {
    const controller = await start();
    const stream = await controller.subscribe("rest");
    await stream.next(isProgram("8"));
    await walk(controller);
    await stream.next((frame) => isProgram("8")(frame) && statusOf(frame) === "22");
    await controller.clock.advance(5 * MINUTE);
    const end = await stream.next(isProgram("8"));
    expect(statusOf(end)).toBe("21");
    expect(end.eventInfo).toMatch(/<on \/><nr \/><r>260502 14:00:00 <\/r><f>260502 14:05:00 <\/f>/);
    await stream.close();
  });

  test("goes off at the right instant when the controller was restarted in between", async () => {
    const controller = await start();
    await walk(controller);
    await controller.clock.advance(2 * MINUTE);
    await controller.restart();
    expect(controller.services.home.programs.get(MOTION_LIGHT)).toMatchObject({ running: "then" });
    const entries = record(controller);
    await controller.clock.advance(3 * MINUTE - 1000);
    expect(commands(entries)).toEqual([]);
    await controller.clock.advance(1000);
    expect(commands(entries)).toEqual([`${HALL} DOF`]);
  });

  test("goes off at once when its wait has passed meanwhile", async () => {
    const controller = await start();
    await walk(controller);
    await controller.stop();
    await controller.clock.advance(HOUR);
    await controller.restart();
    await controller.clock.advance(10);
    expect(controller.services.home.programs.get(MOTION_LIGHT)).toMatchObject({ running: "idle" });
  });
});

function commands(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ change }: { change: Change }) =>
    change.type === "command-moved" && change.state === "accepted" ? [`${change.address} ${change.command}`] : [],
  );
}

describe("a person", () => {
  test("runs a clause and sees it start and end", async () => {
    const controller = await start();
    const stream = await controller.subscribe("rest");
    await stream.next(isProgram("8"));
    expect((await controller.local.get("/rest/programs/0008/runElse")).status).toBe(200);
    expect(statusOf(await stream.next(isProgram("8")))).toBe("33");
    expect(statusOf(await stream.next(isProgram("8")))).toBe("31");
    await stream.close();
  });

  test("stops a run and ends its wait", async () => {
    const controller = await start();
    await walk(controller);
    await controller.local.get("/rest/programs/0008/stop");
    await controller.clock.advance(HOUR);
    expect(level(controller, HALL)).toBeGreaterThan(0);
  });

  test("runs Query All, which queries every enabled device", async () => {
    const controller = await start();
    const driver = controller.services.drivers.of("virtual");
    const asked: string[] = [];
    const query = driver.query.bind(driver);
    Object.assign(driver, {
      query: (address: string, signal: AbortSignal) => {
        asked.push(address);
        return query(address, signal);
      },
    });
    await controller.local.get("/rest/programs/0002/runThen");
    await controller.clock.advance(1000);
    const enabled = [...controller.services.home.nodes.values()].filter((node) => node.enabled);
    expect(new Set(asked)).toEqual(new Set(enabled.map(({ address }) => address)));
  });
});

describe("schedules", () => {
  test("the next run is in the documents, and published when it moves", async () => {
    const controller = await start();
    await controller.login();
    const { data } = (await controller.portal.get("/api/programs")).json<{ data: Record<string, string>[] }>();
    const porch = data.find(({ name }) => name === "Porch at Sunset");
    expect(porch?.nextScheduledRunTime).toBe("2026-05-02T18:50:00.000Z");
    const stream = await controller.subscribe("rest");
    await stream.next(isProgram("7"));
    await controller.clock.advance(Date.parse("2026-05-02T18:50:00Z") - controller.clock.now());
    const frames = [
      await stream.next(isProgram("7")),
      await stream.next(isProgram("7")),
      await stream.next(isProgram("7")),
    ];
    expect(frames.map(statusOf)).toEqual(["22", "21", undefined]);
    expect(frames.at(-1)?.eventInfo).toBe("<id>7</id><nsr>260502 23:30:00 </nsr>");
    await stream.close();
  });

  test.each<[string, number, object]>([
    ["Arctic/Longyearbyen", 78.2, { absentSun: [{ sun: "sunset", next: "2026-08-25T21:55:00.000Z" }] }],
    ["Europe/Berlin", 52.5, {}],
  ])("a sunset that does not happen is told with the program (%s)", async (timeZone, latitude, expected) => {
    const controller = await start({ timeZone, latitude, longitude: 15.6 });
    await controller.login();
    const { data } = (await controller.portal.get("/api/programs")).json<{ data: Record<string, string>[] }>();
    const porch = data.find(({ name }) => name === "Porch at Sunset");
    const { absentSun } = (await controller.portal.get(`/api/programs/${porch?.id}`)).json<{
      data: Record<string, object>;
    }>().data;
    expect(absentSun === undefined ? {} : { absentSun }).toEqual(expected);
  });

  test("one that was missed while the controller was down runs when it is back", async () => {
    const controller = await start();
    await controller.clock.advance(Date.parse("2026-05-02T18:45:00Z") - controller.clock.now());
    await controller.stop();
    await controller.clock.advance(10 * MINUTE);
    await controller.restart();
    expect(controller.services.home.programs.get(7)).toMatchObject({
      status: true,
      lastRunAtMs: controller.clock.now(),
    });
  });
});

test("a cold start runs what is marked for it, a warm one does not", async () => {
  const controller = await start({}, {});
  const first = controller.services.home.programs.get(19)?.lastRunAtMs;
  await controller.clock.advance(MINUTE);
  await controller.restart();
  expect(controller.services.home.programs.get(19)?.lastRunAtMs).toBe(first);
  await controller.restart({ coldStart: true });
  expect(controller.services.home.programs.get(19)?.lastRunAtMs).toBe(controller.clock.now());
});

test("a notification stands in the log until there are channels to people", async () => {
  const controller = await start();
  await controller.local.get("/rest/programs/0013/runThen");
  expect(controller.lines.some(({ message }) => message === "A program notifies.")).toBe(true);
});
