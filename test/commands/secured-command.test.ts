/**
 * Commands that need more than the right to command: locks, alarms and barriers, alone and in scenes, and configuring
 * a device.
 */

import { beforeAll, expect, test } from "vitest";
import { needsFor } from "../../src/commands/secured-command.ts";
import type { Nodedef } from "../../src/profile/nodedef.ts";
import { type CommandServices, createServices, REQUEST, spec, UUID } from "./command-services.ts";

const [LAMP, LOCK, GARAGE, BLIND] = ["ZW002_1", "ZW003_1", "ZY004_1", "ZY005_1"] as const;
const [DOORS, LIGHTS] = ["31001", "31002"] as const;

const opener = (id: string, editor: string): Nodedef => ({
  ...{ id, name: id, nls: null, icon: null, sends: [], controlLinks: [], respondLinks: [] },
  properties: [{ id: "ST", editor, name: "Status", hide: false }],
  accepts: ["DON", "FDUP", "FDDOWN", "QUERY"].map((command) => ({
    ...{ id: command, name: command, native: false, format: null, parameters: [] },
  })),
});

let services: CommandServices;

beforeAll(async () => {
  services = await createServices();
  const nodedefs = [opener("GARAGE", "ZY_BARRIER"), opener("BLIND", "ZY_LEVEL")];
  const editors = [
    { id: "ZY_BARRIER", ranges: [range(97)] },
    { id: "ZY_LEVEL", ranges: [range(51)] },
  ];
  services.host.define(12, 1, { nodedefs, editors }, false);
  services.host.node(spec(LAMP, "RELAY"));
  services.host.node(spec(LOCK, "LOCK"));
  services.host.node(spec(GARAGE, "GARAGE", { family: 12 }));
  services.host.node(spec(BLIND, "BLIND", { family: 12 }));
  addScene(DOORS, [LAMP, GARAGE]);
  addScene(LIGHTS, [LAMP, BLIND]);
});

const range = (uom: number) => ({ uom, prec: 0, min: 0, max: 100, step: null, subset: null, names: new Map() });

function addScene(address: string, members: readonly string[]): void {
  const group = {
    ...{ address, name: address, parent: null, deviceGroup: 20 },
    members: members.map((member) => ({ address: member, isController: false })),
    blocks: [{ controller: address, links: [] }],
  };
  services.feed.commit({ type: "group-added", group }, REQUEST);
}

test.each([
  ["a lamp", LAMP, "DON", []],
  ["a lock", LOCK, "SECMD", ["operate-lock"]],
  ["a lamp as if it were a lock", LAMP, "LOCK", ["operate-lock"]],
  ["a lamp as if it were an alarm", LAMP, "disarm", ["operate-lock"]],
  ["whether a lock answers", LOCK, "QUERY", []],
  ["a garage door", GARAGE, "FDUP", ["operate-lock"]],
  ["whether a garage door answers", GARAGE, "QUERY", []],
  ["a blind", BLIND, "FDUP", []],
  ["a scene with a garage door", DOORS, "DON", ["operate-lock"]],
  ["a scene without one", LIGHTS, "DON", []],
  ["everything", UUID, "DOF", ["operate-lock"]],
  ["a parameter of a lamp", LAMP, "CONFIG", ["configure-device"]],
  ["the same, spelled otherwise", LAMP, "config", ["configure-device"]],
  ["a parameter of a lock", LOCK, "CONFIG", ["operate-lock", "configure-device"]],
  ["parameters of a scene", LIGHTS, "CONFIG", ["configure-device"]],
  ["a value of a lamp that no table knows", LAMP, "V44_OFF", ["configure-device"]],
])("to command %s", (_what, address, command, needs) => {
  expect(needsFor(services, address, command)).toEqual(needs);
});
