/** Verification and the controller agree about commands: exactly those that verification calls refused are refused. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveNodeCommand } from "../../../src/commands/node-command.ts";
import { sendCommand } from "../../../src/commands/send-command.ts";
import type { SentAction } from "../../../src/home/program-progress.ts";
import type { SyntaxValue } from "../../../src/home/program-syntax.ts";
import type { FindingCode } from "../../../src/programs/verify/finding.ts";
import { seededHome } from "../../support/seeded-home.ts";
import { READING } from "./case-words.ts";
import { prepareForMistakes, verifyCase } from "./verify-case.ts";

type Command = Extract<SentAction, { kind: "command" }>;

const REFUSALS: ReadonlySet<FindingCode> = new Set([
  "NODE_DISABLED",
  "COMMAND_NOT_ACCEPTED",
  "PARAMETER_UNKNOWN",
  "PARAMETER_MISSING",
  "PARAMETER_REFUSED",
]);

const { commands, home, profile } = await seededHome({ demo: true });
prepareForMistakes(home);
const definitions = [...home.nodes.values()].map(
  ({ nodeDefId, family, instance }) => profile.nodedef(nodeDefId, family, instance) ?? { accepts: [], properties: [] },
);
const accepted = definitions.flatMap(({ accepts }) => accepts);
const words = new Set([
  ...accepted.map(({ id }) => id),
  ...definitions.flatMap(({ properties }) => properties.map(({ id }) => id)),
  ...["LOCK", "UNLOCK", "DON", "DOF", "DFON", "DFOF", "QUERY", "NONSENSE"],
]);
const parameterIds = new Set(["", "", "", ...accepted.flatMap(({ parameters }) => parameters.map(({ id }) => id))]);

const value: fc.Arbitrary<SyntaxValue & { readonly id: string }> = fc.record({
  id: fc.constantFrom(...parameterIds, "X"),
  value: fc.oneof(fc.constantFrom(0, 1, 2, 50, 100, 128, 255, 256), fc.integer({ min: -20, max: 400 })),
  prec: fc.constantFrom(0, 0, 0, 1),
  uom: fc.constantFrom(0, 0, 51, 51, 100, 4, 17, 14, 25, 44, 58, 68, 78, 84, 98, 101, 107),
});
const commandTo = (addresses: readonly string[]): fc.Arbitrary<Command> =>
  fc.record({
    kind: fc.constant("command" as const),
    node: fc.constantFrom(...addresses),
    command: fc.constantFrom(...words),
    parameters: fc.oneof(
      fc.constant([]),
      fc.array(value, { minLength: 1, maxLength: 1 }),
      fc.uniqueArray(value, { maxLength: 2, selector: ({ id }) => id }),
    ),
  });

const services = {
  home,
  profile,
  nowMs: commands.clock.now(),
  limits: commands.config,
  isChannel: (type: string) => type === "ntfy",
};

const CAUSE = { kind: "program", id: "1-1", by: "1" } as const;

function isCalledRefused(statement: Command): boolean {
  return verifyCase(services, [{ runAtStartup: true, then: [statement] }]).some(({ code }) => REFUSALS.has(code));
}

/** Why the controller does not send it to the device; null when it does. */
function refusalOf({ node: address, ...statement }: Command): string | null {
  try {
    resolveNodeCommand(commands, { address, ...statement });
    return null;
  } catch (error) {
    return String(error);
  }
}

async function takersOf({ node: address, ...statement }: Command): Promise<readonly string[]> {
  try {
    const { members } = await sendCommand(commands, { address, ...statement }, CAUSE);
    return members.filter(({ code, state }) => code === null && state !== "skipped").map((member) => member.address);
  } catch {
    return [];
  }
}

test("commands to nodes are called refused when the controller refuses them, and only then", () => {
  fc.assert(
    fc.property(commandTo([...home.nodes.keys()]), (statement) => {
      const refusal = refusalOf(statement);
      expect([isCalledRefused(statement), refusal]).toEqual([refusal !== null, refusal]);
    }),
    { numRuns: 2000 },
  );
});

test("a value keeps its unit on its way to the device, and is not taken for two values", () => {
  const parameters = [{ id: "", value: 20, prec: 0, uom: 45 }];
  expect(refusalOf({ kind: "command", node: READING, command: "DON", parameters })).toMatch(
    /refused with 20 in unit 45/,
  );
});

test("commands to scenes are called refused only when none of their members takes them", async () => {
  await fc.assert(
    fc.asyncProperty(commandTo([...home.groups.keys(), home.controller.uuid]), async (statement) => {
      expect(isCalledRefused(statement) ? await takersOf(statement) : []).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
