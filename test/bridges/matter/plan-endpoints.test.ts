/** Which nodes of the demo home are shown in Matter, as what, and what stays when a definition is late. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Choice, planEndpoints, stateOf } from "../../../src/bridges/matter/plan-endpoints.ts";
import type { Services } from "../../../src/http/services.ts";
import { isSecured } from "../../../src/profile/roles.ts";
import { startTestController, type TestController } from "../../support/controller.ts";

const ALL: Choice = { nodes: [], nodesMax: 250, secured: false, contacts: [] };

let controller: TestController;
let services: Services;

beforeAll(async () => {
  controller = await startTestController();
  services = controller.services;
});

afterAll(() => controller[Symbol.asyncDispose]());

test("without a choice nothing secured is shown, and with it locks are", () => {
  const kinds = (choice: Partial<Choice>) => plan(choice).map(({ kind }) => kind);
  expect(kinds({})).not.toContain("lock");
  expect(kinds({ secured: true })).toContain("lock");
  const secured = plan({}).filter(({ address }) => isSecured(services.profile, nodeOf(address)));
  expect(secured).toEqual([]);
});

test("a chosen list is shown and nothing else, up to the limit", () => {
  const [first, second] = plan({}).map(({ address }) => address);
  expect(plan({ nodes: [second ?? "", first ?? ""] }).map(({ address }) => address)).toEqual([second, first]);
  expect(plan({ nodes: ["no such node"] })).toEqual([]);
  expect(plan({ nodesMax: 3 })).toHaveLength(3);
});

test("a leak sensor can be shown as a contact sensor, which is closed while it is dry", () => {
  const leak = plan({}).find(({ kind }) => kind === "leak");
  const [shown] = plan({ contacts: [leak?.address ?? ""], nodes: [leak?.address ?? ""] });
  expect(shown?.kind).toBe("contact");
  expect(shown && stateOf(services, shown).attributes).toEqual({ booleanState: { stateValue: true } });
});

test("what was shown stays in its order, also beyond what would be chosen now", () => {
  const before = plan({}).toReversed();
  expect(planEndpoints(services, ALL, before).map(({ address }) => address)).toEqual(
    before.map(({ address }) => address),
  );
});

test("a device of which nothing is known yet is not reachable: one that never reported, and one that is being interviewed", () => {
  const [spec] = plan({});
  const node = nodeOf(spec?.address ?? "");
  const isReachable = (changes: Partial<typeof node>) => {
    const nodes = new Map([[node.address, { ...node, ...changes }]]);
    return spec && stateOf({ ...services, home: { ...services.home, nodes } } as unknown as Services, spec).isReachable;
  };
  expect(isReachable({ link: "online" })).toBe(true);
  expect(isReachable({ link: "asleep" })).toBe(true);
  expect(isReachable({ link: "online", properties: new Map() })).toBe(false);
  expect(isReachable({ link: "interviewing" })).toBe(false);
  expect(isReachable({ link: "unreachable" })).toBe(false);
});

test("a node whose definition is not known yet keeps its device, without values and not reachable", () => {
  const [spec] = plan({});
  if (!spec) throw new Error("The demo home has nothing to show.");
  const late = {
    ...services,
    profile: { ...services.profile, nodedef: () => null, version: -1 },
  } as unknown as Services;
  expect(planEndpoints(late, ALL, [spec])).toEqual([spec]);
  expect(planEndpoints(late, ALL, [])).toEqual([]);
  expect(stateOf(late, spec)).toEqual({ isReachable: false, attributes: {} });
});

test("identities are stable, and say nothing about the node", () => {
  const [one, other] = plan({});
  expect(one?.uniqueId).toMatch(/^[0-9a-f]{32}$/);
  expect(one?.uniqueId).toBe(plan({})[0]?.uniqueId);
  expect(one?.uniqueId).not.toBe(other?.uniqueId);
});

function plan(choice: Partial<Choice>) {
  return planEndpoints(services, { ...ALL, ...choice }, []);
}

function nodeOf(address: string) {
  const node = services.home.nodes.get(address);
  if (!node) throw new Error(`There is no node ${address}.`);
  return node;
}
