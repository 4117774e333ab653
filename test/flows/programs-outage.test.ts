/** Changes while the controller is down start programs after its start, as if it had observed them. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { rowSum } from "../../src/store/database/tables.ts";
import { startTestController, type TestController } from "../support/controller.ts";

const [KITCHEN, PORCH] = ["1A 30 1 1", "1A 60 A 1"] as const;
const open: TestController[] = [];

afterEach(async () => {
  for (const controller of open.splice(0)) await controller[Symbol.asyncDispose]();
});

/** A controller with a program that counts how often it found the kitchen light on, and how often off. */
async function counting(): Promise<TestController> {
  const controller = await startTestController();
  open.push(controller);
  await controller.login();
  for (const name of ["on", "off"]) await controller.portal.put("/api/variables/1", { name: `Kitchen ${name}` });
  const count = (id: number) => ({ type: "var", varType: "1", id, op: "ADD=", val: { value: 1, prec: 0 } });
  const isOn = { type: "status", id: "ST", node: KITCHEN, op: "IS", val: { value: 100, prec: 0, uom: 51 } };
  const [on, off] = idsOf(controller);
  const answer = await controller.portal.put("/api/trigger", {
    name: "Kitchen counts",
    if: [isOn],
    then: [count(on)],
    else: [count(off)],
  });
  expect(answer.status).toBe(200);
  return controller;
}

function idsOf({ services }: TestController): readonly [number, number] {
  const idOf = (name: string) => [...services.home.variables[1].values()].find((each) => each.name === name)?.id ?? 0;
  return [idOf("Kitchen on"), idOf("Kitchen off")];
}

const counts = (controller: TestController) =>
  idsOf(controller).map((id) => controller.services.home.variables[1].get(id)?.value);

/** The device is switched without a report: only its own stored state changes. */
function switchUnheard({ data }: TestController, address: string, level: number): void {
  const db = new DatabaseSync(join(data, "domovoi.sqlite"));
  const key = `virtual/state ${address}`;
  const row = db.prepare("SELECT body FROM driver_store WHERE key = ?").get(key) as { body: string };
  const state = JSON.parse(row.body) as Record<string, object>;
  const body = JSON.stringify({ ...state, [address]: { ...state[address], ST: level } });
  db.prepare("UPDATE driver_store SET body = ?, sum = ? WHERE key = ?").run(body, rowSum(key, body), key);
  db.close();
}

/** A device writes its own state with its first change. */
function toggle({ services }: TestController, address: string): void {
  const driver = services.drivers.of("virtual");
  driver.simulation?.act(address, "DON", null);
  driver.simulation?.act(address, "DOF", null);
}

test("a light that was switched while the controller was down starts what watches it, once", async () => {
  const controller = await counting();
  toggle(controller, KITCHEN);
  await controller.clock.advance(10);
  expect(counts(controller)).toEqual([1, 1]);
  await controller.stop();
  switchUnheard(controller, KITCHEN, 255);
  await controller.restart();
  expect(counts(controller)).toEqual([2, 1]);
  await controller.restart();
  expect(counts(controller)).toEqual([2, 1]);
});

test("a start that finds everything as it was starts nothing", async () => {
  const controller = await counting();
  toggle(controller, PORCH);
  await controller.clock.advance(10);
  await controller.stop();
  switchUnheard(controller, PORCH, 255);
  await controller.restart({ coldStart: true });
  expect(counts(controller)).toEqual([0, 0]);
});
