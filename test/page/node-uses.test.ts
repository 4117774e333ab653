/** What the page proposes for the use of a node by its name, and that the controller knows the same uses. */

import { expect, test } from "vitest";
import { usesOfRole } from "../../src/profile/node-uses.ts";
import { NODE_ROLES } from "../../src/profile/roles-table.ts";
import { proposedUse, USES } from "../../web/src/node/node-uses.ts";

test("the page offers the uses that the controller takes", () => {
  expect(NODE_ROLES.filter((role) => USES[role])).toEqual(NODE_ROLES.filter((role) => usesOfRole(role).length > 0));
  for (const role of NODE_ROLES) expect(USES[role] ?? []).toEqual(usesOfRole(role));
});

test.each([
  ["contact", "Bedroom Window Left", "window"],
  ["contact", "Haustür", "door"],
  ["contact", "Garden Gate", "gate"],
  ["contact", "Freezer", null],
  ["switch", "Kellerlicht", "lamp"],
  ["outlet", "Circulation Pump", "other"],
  ["meter", "House Meter", "grid"],
  ["meter", "PV Dach", "solar"],
  ["meter", "Hausspeicher", "battery"],
  ["meter", "Wasserzähler", "water"],
  ["meter", "Dishwasher", null],
  ["dimmer", "Desk Lamp", null],
] as const)("a %s named %s is proposed as %s", (role, name, use) => {
  expect(proposedUse({ role, name })).toBe(use);
});
