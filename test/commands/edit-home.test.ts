/** The history of edits: its limits in number and age. */

import { expect, test } from "vitest";
import { renameThing } from "../../src/commands/edit-nodes.ts";
import { createResource } from "../../src/commands/edit-resources.ts";
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

test("the oldest edits are removed when all of them have more than editCharsMax characters", async () => {
  const editCharsMax = 1_048_576;
  const services = await createServices({ editCharsMax });
  for (let at = 1; at <= 20; at += 1) {
    const target = { protocol: "http", host: "127.0.0.1", port: 80, method: "POST", path: "/" } as const;
    const resource = { name: `x${at}`, ...target, headers: [], body: "x".repeat(65_536), timeoutMs: 0 };
    await createResource(services, resource, REQUEST);
  }
  // An edit is larger than its body, so 15 fit; the newest is not counted before the next one.
  expect(kept(services)).toEqual(Array.from({ length: 16 }, (_, at) => `x${at + 5}`));
});
