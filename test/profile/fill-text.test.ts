/** Values in texts of notifications and network resources. */

import { expect, test } from "vitest";
import { Home } from "../../src/home/home.ts";
import { putNode } from "../../src/home/nodes.ts";
import { putProgram } from "../../src/home/programs.ts";
import { fillText } from "../../src/profile/fill-text.ts";
import { Profile } from "../../src/profile/profile.ts";
import { CONTROLLER } from "../support/test-store.ts";

const lamp = { nodeDefId: "X", family: 1, instance: 1, type: "1.1.1.1", parent: null, devtype: null };

test("values cannot leave their place", () => {
  const home = new Home(CONTROLLER);
  const name = "a\r\nX: 1?&ü";
  putNode(home, { ...lamp, address: "n", name, primary: "n", enabled: true, driver: "test" });
  const context = { home, profile: new Profile(), nowMs: 0, programId: null, node: "n" };
  expect(fillText(context, `/\${sys.node.#.name}`, encodeURIComponent).text).toBe("/a%0D%0AX%3A%201%3F%26%C3%BC");
  expect(fillText(context, `\${sys.node.n.name}`).text).toBe(name);
});

test("values are the local date and time, and the status and name of programs", () => {
  const home = new Home(CONTROLLER);
  const context = { home, profile: new Profile(), nowMs: Date.UTC(2026, 5, 10, 10, 5, 9), programId: 1, node: null };
  const folder = { kind: "folder", id: 1, parentId: null, name: "Root", conditions: [], status: true } as const;
  putProgram(home, { ...folder, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null });
  const text = `\${sys.date} \${sys.time} \${sys.program.0001.status} \${sys.program.#.name}`;
  expect(fillText(context, text).text).toBe("2026/06/10 10:05:09 True Root");
});
