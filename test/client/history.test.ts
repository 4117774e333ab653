/** Questions about the past through the library. @see client/RULES.md */

import type { Home } from "@domovoi/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { failureOf } from "./support/connected.ts";
import { openAsOwner } from "./support/opened.ts";

let controller: TestController;
let home: Home;

beforeAll(async () => {
  controller = await startTestController();
  home = await openAsOwner(controller, "portal");
  await home.programs.applyText(
    "Program 'Stairs'\nIf\nControl 'Hall Motion' is switched 'On'\nThen\nSet 'Closet Light' 'On'",
  );
  await home.refresh();
  await home.node("Hall Motion").act("DON");
  await controller.clock.advance(1000);
}, 60_000);

afterAll(async () => {
  await home.close();
  await controller[Symbol.asyncDispose]();
});

describe("C19 the past", () => {
  test("the reason for a node's state, now and at a time", async () => {
    expect(await home.why("Closet Light")).toMatchObject({
      kind: "node",
      value: "On",
      missing: null,
      sentences: [
        "Closet Light is On since 14:00:00.",
        expect.stringMatching(/^Program "Stairs" set it \(line \d+\), because "Hall Motion" sent On at 14:00:00\.$/),
      ],
      steps: [{ kind: "program", program: home.program("Stairs").id, line: expect.any(Number) }],
    });
    const before = await home.why("Closet Light", { at: new Date(controller.clock.now() - 60_000), property: "ST" });
    expect(before).toMatchObject({ value: null, missing: expect.any(String) });
  });

  test("why a program ran, and what it did", async () => {
    const why = await home.why("Stairs");
    expect(why).toMatchObject({ kind: "program", answer: "then", conditions: [{ isTrue: true, found: null }] });
    const [entry] = await home.trace("Stairs", { limit: 1, until: "2026-05-02T12:00:01Z" });
    expect(entry).toMatchObject({
      result: "then",
      statements: [{ text: "Set 'Closet Light' 'On'", outcome: "done", reason: "" }],
    });
  });

  test("what happened to a node, newest first", async () => {
    const events = await home.nodeEvents("Closet Light", { limit: 10, until: new Date(controller.clock.now()) });
    const by = { kind: "program", name: "Stairs", program: home.program("Stairs").id };
    expect(events.find(({ kind }) => kind === "command")).toMatchObject({ name: "On", state: "confirmed", by });
    expect(await home.nodeEvents("Closet Light", { before: events.at(-1)?.id ?? 0, from: new Date(0) })).toEqual([]);
  });

  test("the past values of a property, in displayed values", async () => {
    // Fine parts, because a chart of wide ones may miss the last ten seconds.
    const from = new Date(controller.clock.now() - 60_000);
    const [last] = (await home.chart("Closet Light", "ST", { from, points: 100 })).slice(-1);
    expect(last).toMatchObject({ count: expect.any(Number), last: 255, uom: 100 });
    expect(await home.chart("Closet Light", "ST", { to: new Date(0) })).toEqual([]);
  });

  test("a name that nothing has is refused, and all of it in local mode", async () => {
    expect(await failureOf(home.why("Nowhere"))).toMatchObject({ code: "NOT_FOUND" });
    const local = await openAsOwner(controller, "local");
    expect(await failureOf(local.why("Closet Light"))).toMatchObject({ code: "NOT_IN_LOCAL_MODE" });
    await local.close();
  });

  test("the home at a past time is whole, does not change, and nothing can be sent to it", async () => {
    const closet = home.node("Closet Light");
    const then = await home.at(new Date(controller.clock.now() - 500));
    expect(then.node("Closet Light").label("ST")).toBe("On");
    await closet.send("DOF");
    await controller.clock.advance(1000);
    expect(closet.label("ST")).toBe("Off");
    expect(then.node("Closet Light").label("ST")).toBe("On");
    expect(await failureOf(then.node("Closet Light").send("DOF"))).toMatchObject({ code: "REFUSED" });
    expect(await failureOf(then.edits.createFolder("Attic"))).toMatchObject({ code: "REFUSED" });
    await then.close();
    const { before, after, begins } = await home.past({ at: new Date(controller.clock.now() - 500), parts: 2 });
    expect([before, begins]).toEqual([expect.any(String), expect.any(String)]);
    expect(after === null || after > String(before)).toBe(true);
  });
});
