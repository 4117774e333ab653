/** A home with a time zone that no database has, as older versions stored it. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import { startTestController } from "../support/controller.ts";

test.each([
  ["PST", "America/Los_Angeles"],
  ["Mars/Olympus", "UTC"],
])("starts with %s stored, uses %s, and says so", async (stored, used) => {
  const data = mkdtempSync(join(tmpdir(), "domovoi-zone-"));
  const before = await startTestController({}, { data });
  const { home, feed } = before.services;
  feed.commit({ type: "controller-changed", controller: { ...home.controller, name: "Old" } }, SYSTEM_CAUSE);
  // Past the listeners, which could not live with it; the row is made when it is written.
  home.controller = { ...home.controller, timeZone: stored };
  await before.stop();
  await using controller = await startTestController({}, { data });
  await controller.login();
  expect((await controller.portal.get("/api/place")).json()).toMatchObject({ data: { timeZone: used } });
  expect((await controller.portal.get("/rest/time")).status).toBe(200);
  const said = controller.lines.map(({ message }) => message).join("\n");
  expect(said).toContain(`There is no time zone "${stored}", so ${used} is used`);
  rmSync(data, { recursive: true, force: true });
});
