/** Every device of the saved homes, played through the door: each command that its nodedef accepts, with values of its editors. */

import { describe, expect, test } from "vitest";
import type { Services } from "../../src/http/services.ts";
import type { CommandDefinition } from "../../src/profile/nodedef.ts";
import { subsetValues } from "../../src/profile/subset.ts";
import { startTwinOf } from "../support/twin.ts";

type Case = {
  readonly path: string;
  /** The property that the command's only parameter writes, and what it is then, in displayed units. */
  readonly writes: {
    readonly address: string;
    readonly property: string;
    readonly uom: number;
    readonly shown: number;
  } | null;
};

const VALUES_MAX = 3;

/** Every command of every enabled node, once for each value that is tried. */
function cases({ home, profile }: Services): readonly Case[] {
  return [...home.nodes.values()]
    .filter(({ enabled }) => enabled)
    .flatMap(({ address, nodeDefId, family, instance }) => {
      const path = (command: string) => `/rest/nodes/${encodeURIComponent(address)}/cmd/${command}`;
      const accepts = profile.nodedef(nodeDefId, family, instance)?.accepts ?? [];
      const tried = (command: CommandDefinition): readonly Case[] => {
        const samples = command.parameters.map(({ editor }) => sample(profile, editor, family, instance));
        const [only] = command.parameters;
        return Array.from({ length: VALUES_MAX }, (_, at) => {
          const chosen = samples.map((values) => values[at % values.length] ?? { shown: 0, uom: 0 });
          const init = command.parameters.length === 1 ? only?.init : null;
          const [first] = chosen;
          const segments = chosen.map(({ shown, uom }) => (uom === 0 ? `/${shown}` : `/${shown}/${uom}`)).join("");
          const writes = init && first ? { address, property: init, ...first } : null;
          return { path: `${path(command.id)}${segments}`, writes };
        });
      };
      return [...accepts.flatMap(tried), { path: path("QUERY"), writes: null }];
    });
}

type Sample = { readonly shown: number; readonly uom: number };

function sample(profile: Services["profile"], id: string, family: number, instance: number): readonly Sample[] {
  const ranges = profile.editor(id, family, instance)?.ranges ?? [];
  const samples = ranges.slice(-1).flatMap((range): readonly Sample[] => {
    const listed = subsetValues(range, 64);
    const values = listed ?? [range.min ?? 0, range.max ?? 1].map((bound) => bound * 10 ** range.prec);
    return values.map((raw) => ({ shown: raw / 10 ** range.prec, uom: range.uom }));
  });
  return samples.length === 0 ? [{ shown: 1, uom: 0 }] : samples;
}

describe.each(["wired", "radio", "plugins"] as const)("the saved home %s", { timeout: 30_000 }, (name) => {
  test("every command of every device is acknowledged, and what it writes is reported", async () => {
    await using running = await startTwinOf(name);
    const { twin } = running;
    const tried = cases(twin.services);
    expect(tried.length).toBeGreaterThan(20);
    const refused: string[] = [];
    for (const { path, writes } of tried) {
      const answer = await twin.portal.get(path);
      if (answer.status !== 200) refused.push(`${path}: ${answer.text}`);
      // Reports of one node are counted by the second.
      await twin.clock.advance(1000);
      const property = writes && twin.services.home.nodes.get(writes.address)?.properties.get(writes.property);
      if (property && property.uom === writes.uom && property.value !== writes.shown * 10 ** property.prec) {
        refused.push(`${path}: ${writes.property} is ${property.value}`);
      }
    }
    expect(refused).toEqual([]);
  });
});

test("a device whose definition has no value for on is on all the same", async () => {
  await using running = await startTwinOf("plugins");
  const { twin } = running;
  const pump = twin.services.home.nodes.get("n012_pool");
  await twin.portal.get("/rest/nodes/n012_pool/cmd/DON");
  expect(pump?.properties.get("ST")).toMatchObject({ value: 100, uom: 78 });
});
