/** The account of a plugin at the REST interface: what each choice of its owner lets it do beyond its own nodes. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });
const LAMP = "n001_lamp1";
const REPORTS_LOGIN = `poly.on("isyInfo", (info) => poly.saveCustomData({ info }));`;

type Login = { readonly isy_username: string; readonly isy_password: string };

let controller: TestController;
beforeAll(async () => {
  controller = await startTestController({ demo: false, pluginStartMs: 600_000 });
  await controller.login();
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  const body = await lampArchive({}, REPORTS_LOGIN);
  const installed = await controller.portal.request("POST", "/api/plugins?name=Lamp", { headers, body });
  expect(installed.status).toBe(200);
  const isThere = async () => expect(await statusOf(`/rest/nodes/${LAMP}`, controller.bearer())).toBe(200);
  await vi.waitFor(isThere, WAIT);
}, 60_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

/** The last one that the plugin stored. */
async function loginOf(): Promise<Login | null> {
  // The clock is fixed, so pauses between two attempts end at once.
  await controller.clock.advance(1000);
  const answer = await controller.portal.get("/api/plugin/Lamp/custom/customdata");
  return answer.json<{ data: { value: { info?: Login } | null } | null }>().data?.value?.info ?? null;
}

async function statusOf(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  await controller.clock.advance(1000);
  return (await controller.portal.request("GET", path, { headers })).status;
}

test.each([
  ["guest", [200, 200, 403, 403, 403, 403]],
  ["user", [200, 200, 404, 404, 403, 403]],
  ["owner", [200, 200, 404, 404, 200, 200]],
] as const)("as %s it may do what that role may, and no more; its login before is refused", async (access, wanted) => {
  const before = await loginOf();
  await controller.portal.post("/api/plugin/Lamp/config", { access });
  const isNew = async () => ((await loginOf())?.isy_password ?? before?.isy_password) !== before?.isy_password;
  await expect.poll(isNew, WAIT).toBe(true);
  const basic = (login: Login | null) => ({
    Authorization: `Basic ${Buffer.from(`${login?.isy_username}:${login?.isy_password}`).toString("base64")}`,
  });
  const headers = basic(await loginOf());
  // There is no such program and no such variable: an account that may not use them does not learn that.
  const others = ["/rest/programs/0F00/runThen", "/rest/vars/set/2/9/1"];
  const own = ["/rest/nodes", `/rest/nodes/${LAMP}/cmd/DON`];
  const found = [];
  for (const path of [...own, ...others, `/rest/nodes/${LAMP}/change?name=Mine`, "/api/plugins"])
    found.push(await statusOf(path, headers));
  expect(found).toEqual(wanted);
  if (before) expect(await statusOf("/rest/nodes", basic(before))).toBe(401);
});
