/** A controller under load: an integration comes, fails, is mended and goes, and nothing else moves. */

import { expect, test } from "vitest";
import { startTestController } from "../support/controller.ts";

const CLIENTS = 10;
const REPORT_EVERY_MS = 5;
const NEXT_LOOK_MS = 50;
const RESTART_MS = 1000;
/** Plain dimmers of the demo home; each reports often, and none too often. */
const LAMPS = 20;

test("an integration is added, fails, is mended, stopped and removed while 200 reports a second go to 10 clients", async () => {
  await using controller = await startTestController({ nodeReportsPerSecond: 10_000 });
  await controller.login();
  const { services } = controller;
  const others = [...services.home.nodes.values()];
  const lamps = others.filter(({ nodeDefId }) => nodeDefId.startsWith("DimmerLampSwitch")).slice(0, LAMPS);
  const links = () => others.map(({ address }) => services.home.nodes.get(address)?.link);
  const before = links();
  const streams = await Promise.all(Array.from({ length: CLIENTS }, () => controller.subscribe("rest")));
  for (const stream of streams) await stream.next(({ control }) => control === "_0");

  const sent: string[] = [];
  const driver = services.drivers.of("virtual");
  const report = () => {
    const address = lamps[sent.length % lamps.length]?.address ?? "";
    const value = 1 + (Math.floor(sent.length / lamps.length) % 254);
    driver.simulation?.mirror?.({
      kind: "report",
      report: { address, id: "ST", value, uom: 100, prec: 0, cause: "report" },
    });
    sent.push(`${address} ${value}`);
  };
  const load = setInterval(report, REPORT_EVERY_MS);

  const ask = async (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) => {
    const headers = { ...controller.bearer(), "Content-Type": "application/json" };
    return controller.portal.request(method, `/api/integrations${path}`, {
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };
  const reaches = async (state: string) => {
    for (;;) {
      const { data } = (await ask("GET", "/zwave")).json<{ data: { state: string; reason: string; nodes: number } }>();
      if (data.state === state && (state !== "ready" || data.nodes > 0)) return data;
      // Deadlines and pauses of a start are on the virtual clock: without it, a radio that lost a message would wait for ever.
      await controller.clock.advance(state === "ready" && data.state === "failed" ? RESTART_MS : NEXT_LOOK_MS);
      await new Promise((resolve) => setTimeout(resolve, NEXT_LOOK_MS));
    }
  };

  try {
    const none = { type: "zwave", settings: { port: "/dev/domovoi-no-adapter" } };
    expect((await ask("POST", "", none)).status).toBe(200);
    expect((await reaches("failed")).reason).toContain("There is no /dev/domovoi-no-adapter.");
    expect((await ask("PATCH", "/zwave", { settings: { port: 7 } })).status).toBe(400);
    expect((await ask("PATCH", "/zwave", { settings: { port: "simulated" } })).status).toBe(200);
    expect((await reaches("ready")).nodes).toBeGreaterThan(0);
    expect((await ask("POST", "/zwave/stop")).status).toBe(200);
    expect((await ask("DELETE", "/zwave?nodes=remove")).status).toBe(200);
  } finally {
    clearInterval(load);
  }

  expect(sent.length).toBeGreaterThan(lamps.length);
  const known = new Set(lamps.map(({ address }) => address));
  report();
  const last = sent.at(-1);
  for (const stream of streams) {
    await stream.next(({ control, node, action }) => control === "ST" && `${node} ${action}` === last);
    const { frames } = stream;
    const start = frames.findIndex(({ control }) => control === "_0");
    const live = frames.slice(start).filter(({ control, node }) => control === "ST" && known.has(node));
    expect(live.map(({ node, action }) => `${node} ${action}`)).toEqual(sent);
    const numbers = frames.flatMap(({ seqnum }) => seqnum ?? []);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  }
  expect(links()).toEqual(before);
  expect(services.drivers.list().map(({ name, state }) => [name, state])).toEqual([["virtual", "ready"]]);
  expect(services.home.nodes.size).toBe(others.length);
}, 180_000);
