/** The history of edits: its limits in number and age. */

import { expect, test } from "vitest";
import { renameThing } from "../../src/commands/edit-nodes.ts";
import { type CommandServices, createServices, REQUEST, spec } from "./command-services.ts";

const LAMP = "ZW001_1";
const DAY_MS = 86_400_000;

async function lampServices(settings: object): Promise<CommandServices> {
  const services = await createServices({ ...settings });
  services.host.node(spec(LAMP));
  return services;
}

async function rename(services: CommandServices, count: number, name = "x"): Promise<void> {
  for (let at = 1; at <= count; at += 1) await renameThing(services, LAMP, "node", `${name}${at}`, REQUEST);
}

const kept = ({ home }: CommandServices) => [...home.edits.values()].map(({ title }) => /"([^"]*)"$/.exec(title)?.[1]);

test("only the newest editsMax edits are stored", async () => {
  const services = await lampServices({ editsMax: 10 });
  await rename(services, 10);
  expect(kept(services)).toHaveLength(10);
  await rename(services, 2, "y");
  expect(kept(services)).toEqual(["x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "y1", "y2"]);
});

test("edits older than editDaysMax are removed", async () => {
  const services = await lampServices({ editDaysMax: 1 });
  await rename(services, 1, "old");
  await services.clock.advance(DAY_MS);
  await rename(services, 1, "day");
  expect(kept(services)).toEqual(["old1", "day1"]);
  await services.clock.advance(1);
  await rename(services, 1, "new");
  expect(kept(services)).toEqual(["day1", "new1"]);
});
