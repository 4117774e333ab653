/** The event of a client's own edit comes after the answer to it: clients overwrite their record with what they sent. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Frame, FrameStream } from "../support/frame-stream.ts";

let controller: TestController;
let stream: FrameStream;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
  stream = await controller.subscribe("rest");
});

afterAll(() => controller[Symbol.asyncDispose]());

const isOf = (id: string) => (frame: Frame) =>
  frame.control === "_1" && frame.action === "6" && frame.eventInfo.includes(`type="1" id="${id}"`);
const eventsOf = (id: string) =>
  stream.frames.filter(isOf(id)).map(({ eventInfo }) => /<val>(-?\d+)</.exec(eventInfo)?.[1]);

test("a variable's events follow their answers, in the order of the writes", async () => {
  const id = "3";
  await stream.next(isOf(id));
  const before = eventsOf(id).length;
  for (let value = 1; value <= 20; value += 1) {
    const seen = eventsOf(id).length;
    await controller.portal.post(`/api/variables/1/${id}`, { value });
    expect(eventsOf(id).length - seen).toBe(0);
    await stream.next((frame) => isOf(id)(frame) && frame.eventInfo.includes(`<val>${value}<`));
  }
  expect(eventsOf(id).slice(before)).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
});

test("two clients that write the same variable see its last value last", async () => {
  const id = "4";
  const values = Array.from({ length: 10 }, (_, index) => 100 + index);
  await Promise.all(values.map((value) => controller.portal.post(`/api/variables/1/${id}`, { value })));
  await stream.next(
    (frame) =>
      isOf(id)(frame) && frame.eventInfo.includes(`<val>${controller.services.home.variables[1].get(4)?.value}<`),
  );
  expect(eventsOf(id).at(-1)).toBe(String(controller.services.home.variables[1].get(4)?.value));
});
