import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { getTime } from "../../src/http/rest/time.ts";
import type { HttpRequest } from "../../src/http/route.ts";
import type { Services } from "../../src/http/services.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { child, children, names, readXml, textOf, type XmlElement } from "../support/read-xml.ts";
import { BASIC, openRestListener, type RestListener } from "../support/rest-listener.ts";

type Bytes = { readonly total: number; readonly free: number; readonly used: number; readonly unit: string };

const NTP_EPOCH_S = 2_208_988_800;
const CAUSE = { kind: "system", id: "test", by: null } as const;

describe("system", () => {
  let listener: RestListener;

  beforeAll(async () => {
    listener = await openRestListener();
  });
  afterAll(() => listener.close());

  test("batch mode switches and is published", async () => {
    for (const [word, on] of [
      ["on", true],
      ["off", false],
    ] as const) {
      listener.changes();
      const answer = await listener.get(`/rest/batch/${word}`);
      expect(answer.body).toMatch(new RegExp(`<batch><status>${on ? 1 : 0}</status></batch>$`));
      expect(listener.changes()).toMatchObject([{ type: "controller-changed", controller: { batchMode: on } }]);
      expect((await listener.get("/rest/batch")).body).toBe(answer.body);
    }
    expect((await listener.get("/rest/batch/maybe")).status).toBe(404);
  });

  test("battery writes switch in both spellings", async () => {
    for (const path of ["/rest/batteryPoweredWrites", "/rest/batterypoweredwrites"]) {
      expect((await listener.get(`${path}/on`)).body).toContain("<batteryPoweredWrites><status>1</status>");
      expect((await listener.get(`${path}/off/`)).body).toContain("<batteryPoweredWrites><status>0</status>");
      expect((await listener.get(path)).body).toContain("<status>0</status>");
    }
  });

  test("every part of the time can be read as a number or a flag", async () => {
    const time = await listener.xml("/rest/time");
    expect(names(time).slice(0, 8)).toEqual([
      "NTP",
      "TMZOffset",
      "DST",
      "Lat",
      "Long",
      "Sunrise",
      "Sunset",
      "IsMilitary",
    ]);
    for (const name of ["NTP", "TMZOffset", "Sunrise", "Sunset"]) expect(textOf(time, name)).toMatch(/^-?\d+$/);
    for (const name of ["DST", "IsMilitary"]) expect(textOf(time, name)).toMatch(/^(true|false)$/);
    expect(Number(textOf(time, "Long"))).toBe(-listener.services.home.controller.longitude);
  });

  test("sys returns the settings for missed schedules", async () => {
    const asSet = async (settings: Readonly<Record<string, unknown>>) => {
      const other = await openRestListener(settings);
      const system = await other.xml("/rest/sys");
      await other.close();
      return [textOf(system, "PCatchUp"), textOf(system, "PGracePeriod")];
    };
    expect(await asSet({})).toEqual(["false", "900"]);
    expect(await asSet({ scheduleCatchUp: true, scheduleGraceS: 60 })).toEqual(["true", "60"]);
  });

  test("sys, network and subscriptions have the shapes that clients read", async () => {
    expect(names(await listener.xml("/rest/sys"))).toEqual(
      expect.arrayContaining(["MailTo", "QueryOnInit", "NTPEnabled"]),
    );
    const network = await listener.xml("/rest/network");
    expect(textOf(child(network, "Interface"), "ip")).not.toContain(":");
    expect(child(network, "Interface").attributes.isDHCP).toBe("true");
    expect(textOf(child(network, "WebServer"), "httpsPort")).toMatch(/^\d+$/);
    expect((await listener.xml("/rest/subscriptions")).name).toBe("Subscriptions");
  });
});

describe("requests of clients about the hardware", () => {
  let controller: TestController;

  beforeAll(async () => {
    controller = await startTestController();
    await controller.login();
  });
  afterAll(() => controller[Symbol.asyncDispose]());

  test("the clock and the sun are in Unix seconds too", async () => {
    const time = readXml((await controller.local.get("/rest/time")).text);
    const now = Number(textOf(time, "GMT"));
    expect(now).toBe(controller.clock.now() / 1000);
    for (const [unix, ntp] of [
      ["GMT", "NTP"],
      ["SunriseGMT", "Sunrise"],
      ["SunsetGMT", "Sunset"],
    ] as const) {
      // Berlin is two hours ahead on this day.
      expect(Number(textOf(time, ntp)) - NTP_EPOCH_S - Number(textOf(time, unix))).toBe(7200);
    }
  });

  test("/api/sys says of which families the home has nodes, in data and beside it", async () => {
    const { data, successful, ...beside } = (await controller.portal.get("/api/sys")).json<Record<string, unknown>>();
    expect(successful).toBe(true);
    expect(beside).toEqual(data);
    expect(data).toMatchObject({
      insteonSupport: true,
      zwaveSupport: true,
      zMatterZwave: true,
      zigbeeSupport: false,
      matterSupport: false,
      profileDatabaseEnabled: true,
    });
  });

  test("/api/system/about counts memory and storage", async () => {
    const { data } = (await controller.portal.get("/api/system/about")).json<{ data: Record<string, Bytes> }>();
    for (const { total, free, used, unit } of [data.memory, data.storage].filter((each) => each !== undefined)) {
      expect([free + used, unit]).toEqual([total, "bytes"]);
      expect(total).toBeGreaterThan(used);
    }
    expect(Object.keys(data)).toEqual(["memory", "storage"]);
  });

  test("/desc describes the controller", async () => {
    const device = child(readXml((await controller.portal.get("/desc")).text), "device");
    expect(textOf(device, "UDN")).toBe(`uuid:${controller.services.home.controller.uuid}`);
    expect(textOf(device, "friendlyName")).toBe("Domovoi");
    expect(textOf(device, "interfaceIP")).toBe(new URL(controller.portal.url).hostname);
  });

  test("/WEB/sysconfig.txt is for owners, and every path of these requires credentials", async () => {
    const answer = await controller.local.get("/WEB/sysconfig.txt");
    expect(answer.text).toMatch(/^Domovoi \S+ on .+\n\n\*\*\* Network Interfaces \*\*\*\n/);
    for (const path of ["/api/sys", "/api/system/about", "/desc", "/WEB/sysconfig.txt"]) {
      expect([path, (await controller.portal.request("GET", path, { headers: {} })).status]).toEqual([path, 401]);
    }
  });
});

describe("/rest/subscriptions", () => {
  test("a client that follows the stream is listed as long as it does, without its address", async () => {
    const listener = await openRestListener();
    const url = `${listener.controller.localUrl.replace("https", "wss")}/rest/subscribe`;
    const socket = new WebSocket(url, { headers: { authorization: BASIC }, ca: listener.controller.caCertificate });
    await once(socket, "message");
    const [entry, ...others] = (await listener.xml("/rest/subscriptions")).children;
    expect(others).toEqual([]);
    expect(entry?.attributes).toEqual({
      isExpired: "no",
      isPortal: "no",
      sid: expect.stringMatching(/^\d+$/),
      sock: expect.stringMatching(/^\d+$/),
      isReusingSocket: "yes",
      isConnecting: "no",
    });
    socket.close();
    await once(socket, "close");
    // The controller notices the end a moment after the client, so the test polls, within its own time limit.
    while ((await listener.xml("/rest/subscriptions")).children.length > 0);
    await listener.close();
  });
});

describe("network resources", () => {
  let listener: RestListener;

  beforeAll(async () => {
    listener = await openRestListener({ demo: false, legacyPadding: true });
  });
  afterAll(() => listener.close());

  test("without any the list is there and empty", async () => {
    for (const id of [...listener.services.home.networkResources.keys()]) {
      listener.services.feed.commit({ type: "network-resource-removed", id }, CAUSE);
    }
    expect((await listener.get("/rest/networking/resources")).body).toMatch(/\?><NetConfig><\/NetConfig>$/);
    expect((await listener.get("/rest/networking/wol")).body).toMatch(/\?><NetConfig><\/NetConfig>$/);
  });

  test("markup is escaped, and padding keeps a rule from being alone", async () => {
    const resource = {
      id: 3,
      name: "Chime & <ring>",
      protocol: "http",
      host: "192.0.2.7",
      port: 80,
      method: "GET",
      path: "/ring?a=1&b=2",
      headers: [],
      body: "",
      timeoutMs: 500,
    } as const;
    listener.services.feed.commit({ type: "network-resource-put", resource }, CAUSE);
    const rules = children(await listener.xml("/rest/networking/resources"), "NetRule");
    expect(rules.length).toBe(2);
    const [rule] = rules;
    expect(rule && [textOf(rule, "id"), textOf(rule, "name"), textOf(rule, "host")]).toEqual([
      "3",
      "Chime & <ring>",
      "192.0.2.7",
    ]);
    expect(rule && textOf(child(rule, "ControlInfo"), "timeout")).toBe("500");
  });

  test("firing acknowledges receipt; an unknown id is 404", async () => {
    const answer = await listener.get("/rest/networking/resources/3");
    expect(answer.body).toContain('<RestResponse succeeded="true"><status>200</status></RestResponse>');
    for (const id of ["4", "x", "-1"])
      expect((await listener.get(`/rest/networking/resources/${id}`)).status).toBe(404);
  });
});

describe("/rest/time", () => {
  type Place = {
    readonly at: string;
    readonly timeZone: string;
    readonly latitude: number;
    readonly longitude: number;
  };

  function timeAt({ at, ...place }: Place): XmlElement {
    const services = { home: { controller: place }, clock: new VirtualClock(Date.parse(at)) } as unknown as Services;
    const reply = getTime({} as HttpRequest, services);
    return readXml(String("body" in reply ? reply.body : ""));
  }

  /** Seconds of the document as the wall clock they stand for. */
  const wallClock = (time: XmlElement, name: string) =>
    new Date((Number(textOf(time, name)) - NTP_EPOCH_S) * 1000).toISOString().slice(0, 19);

  test("times are the wall clock's, the offset is the standard one", () => {
    const summer = timeAt({
      at: "2026-07-01T10:00:00Z",
      timeZone: "Europe/Berlin",
      latitude: 52.52,
      longitude: 13.405,
    });
    expect(wallClock(summer, "NTP")).toBe("2026-07-01T12:00:00");
    expect([textOf(summer, "TMZOffset"), textOf(summer, "DST")]).toEqual(["3600", "true"]);
    expect(wallClock(summer, "Sunrise")).toMatch(/^2026-07-01T04:4/);
    expect(wallClock(summer, "Sunset")).toMatch(/^2026-07-01T21:3/);
    const winter = timeAt({
      at: "2026-01-15T20:00:00Z",
      timeZone: "America/Denver",
      latitude: 39.74,
      longitude: -104.99,
    });
    expect([textOf(winter, "TMZOffset"), textOf(winter, "DST"), textOf(winter, "Long")]).toEqual([
      "-25200",
      "false",
      "104.99",
    ]);
  });

  test("south of the equator daylight time is in January", () => {
    const time = timeAt({
      at: "2026-01-15T00:00:00Z",
      timeZone: "Australia/Sydney",
      latitude: -33.87,
      longitude: 151.2,
    });
    expect([textOf(time, "TMZOffset"), textOf(time, "DST")]).toEqual(["36000", "true"]);
  });

  test("just after midnight the sun is that day's", () => {
    const time = timeAt({ at: "2026-03-10T23:20:00Z", timeZone: "Europe/Berlin", latitude: 52.52, longitude: 13.405 });
    expect(wallClock(time, "Sunrise")).toMatch(/^2026-03-11T06/);
    expect(wallClock(time, "Sunset")).toMatch(/^2026-03-11T18/);
  });

  test("a sun that never sets is shown from midnight to midnight, one that never rises at noon", () => {
    const tromso = { timeZone: "Europe/Oslo", latitude: 69.65, longitude: 18.96 };
    const summer = timeAt({ at: "2026-06-21T10:00:00Z", ...tromso });
    expect([wallClock(summer, "Sunrise"), wallClock(summer, "Sunset")]).toEqual([
      "2026-06-21T00:00:00",
      "2026-06-21T23:59:59",
    ]);
    const winter = timeAt({ at: "2026-12-21T10:00:00Z", ...tromso });
    expect(wallClock(winter, "Sunrise")).toMatch(/^2026-12-21T11:4/);
    expect(textOf(winter, "Sunset")).toBe(textOf(winter, "Sunrise"));
  });
});
