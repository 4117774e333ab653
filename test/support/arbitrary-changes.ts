/** Random changes of every type over a few keys, so that they meet: what is added is renamed, removed and added again. */

import fc from "fast-check";
import type { Change, ChangeType } from "../../src/home/change.ts";
import type { ControllerRecord } from "../../src/home/controller.ts";
import type { Folder } from "../../src/home/folders.ts";
import type { Group, SceneLink } from "../../src/home/groups.ts";
import type { IntegrationRecord } from "../../src/home/integrations.ts";
import type { NetworkResource } from "../../src/home/network-resources.ts";
import type { LinkState, NodeRecord, Parent } from "../../src/home/nodes.ts";
import type { Operation } from "../../src/home/operation.ts";
import type { ProgramProgress } from "../../src/home/program-progress.ts";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import type { Program, ProgramEntry, ProgramFolder, ProgramRun } from "../../src/home/programs.ts";
import type { Property } from "../../src/home/property.ts";
import type { Variable, VariableType } from "../../src/home/variables.ts";

/** Names as a hostile or careless client writes them: any code unit, also half of a pair and NUL. */
const name = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("\ud800", "a\0b", "'; --", ""),
);
const address = fc.constantFrom("1A 2B 3C 1", "1A 2B 3C 2", "ZW002_1", "n001_lamp", "00001", "ä/\ud800");
const id = fc.integer({ min: 1, max: 6 });
const integer = fc.integer();
const timeMs = fc.integer({ min: 0, max: 4_000_000_000_000 });
const maybeTimeMs = fc.option(timeMs);
const variableType: fc.Arbitrary<VariableType> = fc.constantFrom(1, 2);
const link: fc.Arbitrary<LinkState> = fc.constantFrom("online", "asleep", "unreachable", "interviewing", "unknown");
const parent: fc.Arbitrary<Parent | null> = fc.option(
  fc.record({ address, kind: fc.constantFrom("node" as const, "group" as const, "folder" as const) }),
);

const controller: fc.Arbitrary<ControllerRecord> = fc.record({
  uuid: fc.constant("02:00:00:00:00:01"),
  name,
  timeZone: fc.constantFrom("Europe/Berlin", "UTC"),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }).map(withoutMinusZero),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }).map(withoutMinusZero),
  batchMode: fc.boolean(),
  batteryWrites: fc.boolean(),
});

const node: fc.Arbitrary<NodeRecord> = fc.record({
  address,
  name,
  nodeDefId: name,
  family: id,
  instance: id,
  type: fc.constant("4.17.1.0"),
  parent,
  primary: address,
  enabled: fc.boolean(),
  devtype: fc.option(fc.record({ generic: name, manufacturer: name, category: id })),
  driver: fc.constant("virtual"),
});

const origin = fc.option(
  fc.record({ kind: fc.constantFrom("automation" as const, "person" as const), name: fc.string() }),
  {
    nil: undefined,
  },
);
const property: fc.Arbitrary<Property> = fc.record({
  id: fc.constantFrom("ST", "OL", "RR", "GV0"),
  value: fc.option(integer),
  uom: id,
  prec: id,
  text: fc.option(name),
  changedAtMs: timeMs,
});

const sceneLink: fc.Arbitrary<SceneLink> = fc.oneof(
  fc.record({ kind: fc.constant("ignore" as const), node: address }),
  fc.record({
    kind: fc.constant("native" as const),
    node: address,
    linkdef: name,
    parameters: fc.array(fc.record({ id: name, value: integer, uom: id, prec: id }), { maxLength: 2 }),
  }),
);

const group: fc.Arbitrary<Group> = fc.record({
  address,
  name,
  parent,
  deviceGroup: id,
  members: fc.array(fc.record({ address, isController: fc.boolean() }), { maxLength: 2 }),
  blocks: fc.array(fc.record({ controller: address, links: fc.array(sceneLink, { maxLength: 2 }) }), { maxLength: 2 }),
});

const folder: fc.Arbitrary<Folder> = fc.record({ address, name, parent });

const common = {
  id,
  version: id,
  name,
  parentId: fc.option(id),
  status: fc.option(fc.boolean()),
  lastRunAtMs: maybeTimeMs,
  lastFinishAtMs: maybeTimeMs,
  nextRunAtMs: maybeTimeMs,
};
const conditions: fc.Arbitrary<readonly Condition[]> = fc.array(
  fc.record({ andOr: fc.constant("and" as const), kind: fc.constant("program" as const), id, is: fc.boolean() }),
  { maxLength: 2 },
);
const actions: fc.Arbitrary<readonly Action[]> = fc.array(fc.record({ kind: fc.constant("resource" as const), id }), {
  maxLength: 2,
});
const running = fc.constantFrom("idle" as const, "then" as const, "else" as const);
const programFolder: fc.Arbitrary<ProgramFolder> = fc.record({
  ...common,
  kind: fc.constant("folder" as const),
  conditions,
});
const program: fc.Arbitrary<Program> = fc
  .record({
    ...common,
    kind: fc.constant("program" as const),
    comment: name,
    enabled: fc.boolean(),
    runAtStartup: fc.boolean(),
    running,
    invalid: fc.option(name),
    tree: fc.record({ if: conditions, then: actions, else: actions }),
  })
  .map((entry) => ({ ...entry, status: entry.status === true }));
const programEntry: fc.Arbitrary<ProgramEntry> = fc.oneof(program, programFolder);
const run: fc.Arbitrary<Partial<ProgramRun>> = fc.record(
  {
    status: fc.option(fc.boolean()),
    running,
    lastRunAtMs: maybeTimeMs,
    lastFinishAtMs: maybeTimeMs,
    nextRunAtMs: maybeTimeMs,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<ProgramRun>>;

const progress = (of: number): fc.Arbitrary<ProgramProgress> =>
  fc.record({
    id: fc.constant(of),
    run: fc.constant(null),
    inFlight: fc.constant([]),
    settledUntilMs: maybeTimeMs,
    waiting: fc.constant([]),
  });

const variable: fc.Arbitrary<Variable> = fc.record({
  type: variableType,
  id,
  name,
  value: integer,
  init: integer,
  prec: id,
  writtenAtMs: timeMs,
});

const resource: fc.Arbitrary<NetworkResource> = fc.record({
  id,
  name,
  protocol: fc.constantFrom("http" as const, "udp" as const),
  host: name,
  port: id,
  method: fc.constant("GET"),
  path: name,
  headers: fc.array(fc.record({ name, value: name }), { maxLength: 2 }),
  body: name,
  timeoutMs: id,
});

const radioOperation: fc.Arbitrary<Operation> = fc.record({
  id: name,
  kind: fc.constantFrom("include" as const, "backup" as const),
  stage: fc.constantFrom("waiting" as const, "asking" as const, "failed" as const),
  question: fc.option(fc.record({ kind: name, data: fc.record({ dskRest: name }), answer: fc.constant({}) })),
  address: fc.option(address),
  percent: fc.option(id),
  result: fc.record({ security: name }),
  detail: name,
  startedAtMs: timeMs,
  movedAtMs: timeMs,
});

const integration: fc.Arbitrary<IntegrationRecord> = fc.record({
  id: fc.constantFrom("virtual", "virtual2", "zwave"),
  type: fc.constant("virtual"),
  name,
  settings: fc.dictionary(fc.constantFrom("port", "region"), fc.oneof(name, integer)),
  secrets: fc.subarray(["password"]),
  enabled: fc.boolean(),
  origin: fc.constantFrom("settings" as const, "owner" as const),
});

const HOLD_CAUSE = { kind: "report", id: "virtual", by: "virtual" } as const;

/** The members of a change of the type, besides the type. */
type Parts = { readonly [T in ChangeType]: fc.Arbitrary<Omit<Extract<Change, { type: T }>, "type">> };

const PARTS: Parts = {
  "controller-changed": fc.record({ controller }),
  "busy-changed": fc.record({ busy: fc.boolean() }),
  "node-added": fc.record({ node }),
  "node-revised": fc.record({ node }),
  "node-removed": fc.record({ address }),
  "node-renamed": fc.record({ address, name }),
  "node-enabled": fc.record({ address, enabled: fc.boolean() }),
  "node-link-changed": fc.record({ address, link, before: link }),
  "parent-changed": fc.record({ address, kind: fc.constantFrom("node", "group", "folder"), parent }),
  "property-changed": fc
    .record({ address, property, before: fc.option(property, { nil: undefined }), isNew: fc.boolean(), origin })
    .map(({ address, property, before, isNew, origin }) => {
      if (!before) return isNew ? { address, property, before: null } : { address, property };
      return { address, property, before: { ...before, id: property.id }, ...(origin && { origin }) };
    }),
  "control-sent": fc.record({ address, control: fc.constant("DON"), value: integer }),
  "write-progress": fc.record({ address, phase: fc.constantFrom("pending", "writing"), active: fc.boolean() }),
  "group-added": fc.record({ group }),
  "group-removed": fc.record({ address }),
  "group-renamed": fc.record({ address, name }),
  "group-links-changed": fc.record({ group }),
  "folder-added": fc.record({ folder }),
  "folder-removed": fc.record({ address }),
  "folder-renamed": fc.record({ address, name }),
  "program-added": fc.record({ program: programEntry }),
  "program-changed": fc.record({ program: programEntry }),
  "program-removed": fc.record({ id }),
  "program-ordered": fc.record({ id, verb: fc.constantFrom("run", "stop") }),
  "programs-started": fc.record({ isCold: fc.boolean() }),
  "guest-visited": fc.record({}),
  "programs-cut": fc.record({
    ids: fc.array(id, { maxLength: 2 }),
    limit: fc.constant("programChainStartsMax" as const),
    loop: fc.array(id, { maxLength: 2 }),
    detail: name,
  }),
  "program-ran": fc.record({ id, run }),
  "program-held": fc
    .record({ id, key: name, node: address, isHandled: fc.boolean(), isThere: fc.boolean() })
    .map(({ id: of, key, node: at, isHandled, isThere }) => {
      const hold = { id: of, key, node: at, property: "ST", sinceMs: 1, lastingMs: 2, isHandled, cause: HOLD_CAUSE };
      return { id: of, key, hold: isThere ? hold : null };
    }),
  "program-progressed": id.chain((of) => fc.record({ id: fc.constant(of), progress: fc.option(progress(of)) })),
  "variable-added": fc.record({ variable }),
  "variable-removed": fc.record({ variableType, id }),
  "variable-renamed": fc.record({ variableType, id, name }),
  "variable-values-named": fc.record({ variableType, id, valueNames: fc.dictionary(id.map(String), name) }),
  "variable-precision-changed": fc.record({ variableType, id, prec: id }),
  "variable-written": fc.record({ variableType, id, value: integer, writtenAtMs: timeMs, before: integer }),
  "variable-init-written": fc.record({ variableType, id, init: integer }),
  "network-resource-put": fc.record({ resource }),
  "network-resource-removed": fc.record({ id }),
  "network-resource-fired": fc.record({ id, outcome: fc.constantFrom("done", "failed"), detail: name }),
  "integration-added": fc.record({ integration }),
  "integration-changed": fc.record({ integration, before: integration }),
  "integration-removed": fc.record({ id: integration.map(({ id: of }) => of), before: integration }),
  "command-moved": fc.record({
    commandId: name,
    address,
    command: name,
    state: fc.constant("sent"),
    detail: name,
    acceptedAtMs: timeMs,
  }),
  "device-parameter": fc.record({ address, number: id, size: id, value: integer }),
  "operation-moved": fc.record({ driver: name, family: fc.constantFrom(4, 12), operation: radioOperation }),
};

const ofType = ([type, parts]: [string, fc.Arbitrary<object>]) => parts.map((rest) => ({ type, ...rest }) as Change);

/** Any change; each type as likely as the others. */
export const arbitraryChange: fc.Arbitrary<Change> = fc.oneof(...Object.entries(PARTS).map(ofType));

function withoutMinusZero(value: number): number {
  return value + 0;
}
