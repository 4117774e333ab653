/** Integrations over the API: added, misconfigured, mended, stopped, removed, while the controller runs. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";

type Shown = {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
  readonly enabled: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly nodes: number;
  readonly setting: string | null;
};

const LAMP = { kind: "dimmer", address: "AA BB 01 1", name: "Bench Lamp" };
const RELAY = { kind: "relay", address: "AA BB 02 1", name: "Bench Relay" };

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

const shown = (answer: Answer) => answer.json<{ data: Shown }>().data;
const list = async () => (await controller.portal.get("/api/integrations")).json<{ data: Shown[] }>().data;
const one = async (id: string) => shown(await controller.portal.get(`/api/integrations/${id}`));
const patch = (id: string, body: object) =>
  controller.portal.request("PATCH", `/api/integrations/${id}`, {
    headers: { ...controller.bearer(), "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

async function reaches(id: string, state: string): Promise<Shown> {
  for (let tries = 0; tries < 200; tries += 1) {
    const integration = await one(id);
    if (integration.state === state) return integration;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${id} is not ${state}: ${JSON.stringify(await one(id))}`);
}

async function linkOf(address: string): Promise<string | undefined> {
  return controller.services.home.nodes.get(address)?.link;
}

describe("an integration", () => {
  test("that a setting of the controller makes is shown, and cannot be configured here", async () => {
    expect(await list()).toEqual([
      expect.objectContaining({ id: "virtual", type: "virtual", state: "ready", setting: "demo", enabled: true }),
    ]);
    const refused = await patch("virtual", { settings: { demoNodes: 5 } });
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([409, "CONFLICT"]);
    expect(refused.text).toContain("The setting demo of the controller");
    expect((await controller.portal.delete("/api/integrations/virtual?nodes=keep")).status).toBe(409);
  });

  test("is added, runs, and its nodes are commanded", async () => {
    const added = await controller.portal.post("/api/integrations", {
      type: "virtual",
      name: "Test bench",
      settings: { devices: [LAMP] },
    });
    expect([added.status, shown(added).id]).toEqual([200, "virtual2"]);
    expect(await reaches("virtual2", "ready")).toMatchObject({ nodes: 1, setting: null, reason: "" });
    const on = await controller.portal.get("/rest/nodes/AA%20BB%2001%201/cmd/DON");
    expect(on.status).toBe(200);
    expect(controller.services.home.nodes.get(LAMP.address)?.properties.get("ST")?.value).toBe(255);
  });

  test("is refused with the setting that does not fit, and nothing changes", async () => {
    const before = await list();
    for (const [settings, sentence] of [
      [{ devices: [{ ...LAMP, kind: "toaster" }] }, "devices"],
      [{ devices: [LAMP, LAMP] }, "Two devices have the address AA BB 01 1."],
      [{ devices: [{ ...LAMP, address: "ZW001_1" }] }, "has an address such as AA BB 1 1, not ZW001_1."],
      [{ device: [] }, "There is no setting device."],
    ] as const) {
      const refused = await patch("virtual2", { settings });
      expect([refused.status, refused.json<{ code: string }>().code]).toEqual([400, "SETTINGS_REFUSED"]);
      expect(refused.text).toContain(sentence);
    }
    const unknown = await controller.portal.post("/api/integrations", { type: "toaster" });
    expect(unknown.text).toContain(
      "The types are virtual, zwave, insteon, mqtt, matter, homeassistant, announce, matterbridge, plugin, presence, alerts, calendar, email, ",
    );
    expect(await list()).toEqual(before);
  });

  test("gets other settings while it runs", async () => {
    const changed = await patch("virtual2", { settings: { devices: [LAMP, RELAY] } });
    expect(changed.status).toBe(200);
    expect(await reaches("virtual2", "ready")).toMatchObject({ nodes: 2 });
    expect(controller.services.home.nodes.get(LAMP.address)?.properties.get("ST")?.value).toBe(255);
  });

  test("that is stopped keeps its nodes, unreachable, also over a restart of the controller", async () => {
    const stopped = await controller.portal.post("/api/integrations/virtual2/stop", {});
    expect(shown(stopped)).toMatchObject({ state: "stopped", enabled: false, nodes: 2 });
    expect(await linkOf(LAMP.address)).toBe("unreachable");
    const refused = await controller.portal.get("/rest/nodes/AA%20BB%2001%201/cmd/DOF");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, undefined]);
    expect(refused.text).toContain(
      "The integration &quot;Test bench&quot; is stopped. Start it on its page or with &quot;domovoi integration start virtual2&quot;.",
    );
    await controller.restart();
    await controller.login();
    expect(await one("virtual2")).toMatchObject({ state: "stopped", enabled: false, nodes: 2 });
    expect(await linkOf(LAMP.address)).toBe("unreachable");
    await controller.portal.post("/api/integrations/virtual2/start", {});
    await reaches("virtual2", "ready");
    expect(await linkOf(LAMP.address)).toBe("online");
  });

  test("that fails gives the reason, and runs once its settings are corrected", async () => {
    const added = await controller.portal.post("/api/integrations", {
      type: "zwave",
      settings: { port: "/dev/domovoi-no-adapter" },
    });
    expect(shown(added).id).toBe("zwave");
    expect((await reaches("zwave", "failed")).reason).toContain("There is no /dev/domovoi-no-adapter.");
    await patch("zwave", { settings: { port: "simulated" } });
    expect(await reachesLater("zwave", ({ state }) => state === "ready")).toMatchObject({
      reason: "",
      settings: { port: "simulated" },
    });
    const second = await controller.portal.post("/api/integrations", {
      type: "zwave",
      settings: { port: "simulated" },
    });
    expect([second.status, second.text]).toEqual([409, expect.stringContaining("uses the port simulated already")]);
    await reachesLater("zwave", ({ nodes }) => nodes > 0);
  }, 120_000);

  test("with a simulated radio does what a person at one of its devices does", async () => {
    const hall = () =>
      [...controller.services.home.nodes.values()].find(
        ({ name, driver }) => name === "Hall light" && driver === "zwave",
      );
    await reachesLater("zwave", () => hall() !== undefined);
    const path = `/api/nodes/${hall()?.address}/act`;
    expect((await controller.portal.get(path)).json()).toMatchObject({ data: { actions: ["DON", "DOF"] } });
    expect((await controller.portal.post(path, { control: "DON" })).status).toBe(200);
    await reachesLater("zwave", () => (hall()?.properties.get("ST")?.value ?? 0) > 0);
  }, 180_000);

  test("is removed with its nodes, their definitions, and what its driver stored", async () => {
    const { home, profile } = controller.services;
    const nodedefs = () => profile.instance(4, 1)?.dynamicNodedefs.size ?? 0;
    const own = () => [...home.nodes.values()].filter(({ driver }) => driver === "zwave").length;
    const [before, nodes] = [nodedefs(), own()];
    const asked = await controller.portal.delete("/api/integrations/zwave");
    expect([asked.status, asked.text]).toEqual([409, expect.stringContaining("?nodes=remove or ?nodes=keep")]);
    let isOver = false;
    const removal = controller.portal.delete("/api/integrations/zwave?nodes=remove").finally(() => {
      isOver = true;
    });
    // The library may not let go of a device that is being interviewed; the driver is then left behind after driverStopMs.
    for (let seconds = 0; seconds < 8 && !isOver; seconds += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await controller.clock.advance(1000);
    }
    expect((await removal).status).toBe(200);
    expect([nodes > 0, own(), before > nodedefs(), nodedefs() > 0]).toEqual([true, 0, true, true]);
    expect((await controller.portal.get("/api/integrations/zwave")).status).toBe(404);
  }, 180_000);

  test("is removed and its nodes kept; one of the same id finds them again", async () => {
    expect((await controller.portal.delete("/api/integrations/virtual2?nodes=keep")).status).toBe(200);
    expect(await linkOf(RELAY.address)).toBe("unreachable");
    const other = await controller.portal.post("/api/integrations", { type: "virtual", settings: {} });
    expect(shown(other).id).toBe("virtual3");
    await controller.portal.post("/api/integrations", {
      type: "virtual",
      id: "virtual2",
      settings: { devices: [LAMP, RELAY] },
    });
    expect(await reaches("virtual2", "ready")).toMatchObject({ nodes: 2 });
    expect(await linkOf(RELAY.address)).toBe("online");
  });

  test("is not for accounts that live in the home", async () => {
    const guest = { kind: "local", login: "lodger", role: "user", password: "a key under the mat" };
    await controller.portal.post("/api/accounts", guest);
    const headers = { Authorization: `Basic ${Buffer.from(`lodger:${guest.password}`).toString("base64")}` };
    expect((await controller.portal.request("GET", "/api/integrations", { headers })).status).toBe(403);
  });
});

describe("an integration of a setting", () => {
  test("is disabled when the setting is no longer given, and the owner can take it over", async () => {
    await using home = await startTestController();
    await home.restart({ demo: false });
    await home.login();
    const get = async () => (await home.portal.get("/api/integrations/virtual")).json<{ data: Shown }>().data;
    expect(await get()).toMatchObject({ state: "stopped", enabled: false, setting: null });
    expect((await get()).reason).toContain("no longer set");
    await home.portal.post("/api/integrations/virtual/start", {});
    await home.restart({ demo: false });
    await home.login();
    expect(await get()).toMatchObject({ state: "ready", enabled: true, setting: null, settings: { demoNodes: 0 } });
  });
});

/** A radio takes real time. */
async function reachesLater(id: string, isThere: (integration: Shown) => boolean): Promise<Shown> {
  const { promise, resolve } = Promise.withResolvers<Shown>();
  const look = async () => {
    const integration = await one(id);
    if (isThere(integration)) resolve(integration);
    else setTimeout(() => void look(), 50);
  };
  void look();
  return promise;
}

test("a node that an owner removed comes back by undoing that, or with an integration that is added anew", async () => {
  const settings = { devices: [{ ...LAMP, address: "AA BB 03 1" }] };
  const add = async () => {
    const { id } = shown(await controller.portal.post("/api/integrations", { type: "virtual", settings }));
    await reaches(id, "ready");
    return id;
  };
  const nodes = () => controller.services.home.nodes;
  const id = await add();
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const removal = { headers, body: JSON.stringify({ nodeType: "node" }) };
  expect((await controller.portal.request("DELETE", "/api/nodes/AA%20BB%2003%201", removal)).status).toBe(200);
  await controller.portal.post(`/api/integrations/${id}/restart`, {});
  await reaches(id, "ready");
  expect(nodes().has("AA BB 03 1")).toBe(false);
  const refusal = controller.lines.find(
    ({ message }) => message === "A node that an owner removed is not added again.",
  );
  expect(refusal?.fields).toMatchObject({ driver: id, reason: expect.stringContaining("undo its removal") });
  expect((await controller.portal.delete(`/api/integrations/${id}?nodes=remove`)).status).toBe(200);
  await add();
  expect(nodes().has("AA BB 03 1")).toBe(true);
});
