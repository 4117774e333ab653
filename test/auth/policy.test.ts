import { expect, test } from "vitest";
import { authorize, type Right, roleAllows } from "../../src/auth/policy.ts";
import type { Principal, Role } from "../../src/auth/principal.ts";
import { outcome } from "./gate.ts";

const LOOKS: readonly Right[] = ["read", "subscribe"];
const WORKS_DEVICES: readonly Right[] = ["command-node", "command-group"];
const LIVES_HERE: readonly Right[] = ["run-program", "write-variable", "fire-resource"];
const BUILDS: readonly Right[] = [
  "rename",
  "enable-node",
  "edit-variables",
  "enable-program",
  "edit-program",
  "configure-device",
  "manage-locks",
  "manage-radio",
  "administer",
];
const EVERYTHING = [...LOOKS, ...WORKS_DEVICES, ...LIVES_HERE, ...BUILDS];

test.each<readonly [Role, readonly Right[]]>([
  ["owner", EVERYTHING],
  ["user", [...LOOKS, ...WORKS_DEVICES, ...LIVES_HERE]],
  ["guest", [...LOOKS, ...WORKS_DEVICES]],
])("a %s may do exactly what the role is for", async (role, allowed) => {
  const principal: Principal = { accountId: "a", login: "a", role, sessionId: null, view: null };
  for (const action of EVERYTHING) {
    const isAllowed = allowed.includes(action);
    expect(roleAllows(role, action)).toBe(isAllowed);
    const asked = outcome((async () => authorize(principal, action))());
    expect(await asked).toBe(isAllowed ? "ok" : "FORBIDDEN");
  }
});

test("without a login nothing is allowed", async () => {
  expect(await outcome((async () => authorize(null, "read"))())).toBe("UNAUTHENTICATED");
});
