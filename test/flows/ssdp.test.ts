/** SSDP, as clients in the field search for controllers, over loopback. */

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import { child, readXml, textOf } from "../support/read-xml.ts";

const GROUP = "239.255.255.250";
const PORT = 1900;
const DEVICE = "urn:udi-com:device:X_Insteon_Lighting_Device:1";
const NOBODY = { headers: {} };

let controller: TestController;
let uuid: string;

beforeAll(async () => {
  controller = await startTestController({ announce: true, demo: false, plainPort: 0, ssdpAnswersPerSecond: 20 });
  ({ uuid } = controller.services.home.controller);
});
afterAll(() => controller[Symbol.asyncDispose]());

/** A client with what it received from this controller; others of this machine answer too. */
async function openClient(): Promise<{ readonly socket: Socket; readonly received: string[] }> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  onTestFinished(() => void socket.close());
  const received: string[] = [];
  socket.on("message", (bytes) => {
    const text = bytes.toString();
    if (text.includes(`USN:uuid:${uuid}`)) received.push(text);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  socket.setMulticastInterface("127.0.0.1");
  return { socket, received };
}

const search = (target: string) =>
  `M-SEARCH * HTTP/1.1\r\nHOST:${GROUP}:${PORT}\r\nMAN:"ssdp.discover"\r\nMX:1\r\nST:${target}\r\n\r\n`;

/** In a second of its own, so that earlier searches do not count. */
async function answers(text: string, count: number): Promise<readonly string[]> {
  await controller.clock.advance(1000);
  const { socket, received } = await openClient();
  await vi.waitFor(
    async () => {
      if (received.length === 0) socket.send(text, PORT, GROUP);
      expect(received.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 10_000, interval: 100 },
  );
  return received;
}

test.each([
  ["as the standard has it", search(DEVICE)],
  [
    "without quotes at MAN, with a stray bracket",
    search(DEVICE).replace('"ssdp.discover"', "ssdp:discover").replace(":1900", ":1900]"),
  ],
  ["with bare carriage returns and without an end", search(DEVICE).trimEnd().replaceAll("\r\n", "\r")],
  ["with bare line feeds and lower case", search(DEVICE).replaceAll("\r\n", "\n").replace("ST:", "st: ")],
])("a search %s is answered with the address of the description", async (_name, text) => {
  const [answer = ""] = await answers(text, 1);
  const [first, ...headers] = answer.split("\r\n");
  expect(first).toBe("HTTP/1.1 200 OK");
  expect(headers).toEqual([
    "CACHE-CONTROL:max-age=1800",
    `LOCATION:${controller.controller.plainUrl}/desc`,
    "SERVER:UCoS, UPnP/1.0, UDI/1.0",
    "EXT:",
    `ST:${DEVICE}`,
    `USN:uuid:${uuid}::${DEVICE}`,
    "",
    "",
  ]);
});

test("a search for everything finds each type once, and one for something else finds nothing", async () => {
  const everything = await answers(search("ssdp:all"), 5);
  expect(everything.map((answer) => /ST:(.*)\r/.exec(answer)?.[1]).toSorted()).toEqual([
    "upnp:rootdevice",
    "urn:udi-com:device:X_Insteon_Lighting_Device:1",
    "urn:udi-com:device:X_IoX_Device:1",
    "urn:udi-com:service:X_Insteon_Lighting_Service:1",
    `uuid:${uuid}`,
  ]);
  const { socket, received } = await openClient();
  for (const text of [
    search("urn:dial-multiscreen-org:service:dial:1"),
    "M-SEARCH",
    "NOTIFY * HTTP/1.1\r\nST:ssdp:all\r\n",
    "",
  ])
    socket.send(text, PORT, GROUP);
  socket.send(search("upnp:rootdevice"), PORT, GROUP);
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]).toContain("ST:upnp:rootdevice");
});

test("the two kinds of clients are sent to the listener and the description that they know", async () => {
  const answered = await answers(search("ssdp:all"), 5);
  const locations = new Map(
    answered.map((text) => [/ST:(.*)\r/.exec(text)?.[1], /LOCATION:(.*)\/desc\r/.exec(text)?.[1]]),
  );
  const { portalUrl, plainUrl } = controller.controller;
  expect(locations.get("urn:udi-com:device:X_IoX_Device:1")).toBe(portalUrl);
  expect(locations.get(DEVICE)).toBe(plainUrl);
  const answer = await controller.portal.request("GET", "/desc", NOBODY);
  const device = child(readXml(answer.text), "device");
  expect(["deviceType", "manufacturer", "UDN"].map((tag) => textOf(device, tag))).toEqual([
    "urn:udi-com:device:X_IoX_Device:1",
    "Universal Devices",
    `uuid:${uuid}`,
  ]);
  expect(textOf(device, "modelVersion")).toMatch(/^6\./);
});

test("more searches in one second than the setting permits are not answered", async () => {
  await controller.clock.advance(1000);
  const { socket, received } = await openClient();
  for (let turn = 0; turn < 60; turn += 1) socket.send(search("upnp:rootdevice"), PORT, GROUP);
  await vi.waitFor(() => expect(received).toHaveLength(20));
  expect(await answers(search(DEVICE), 1)).not.toHaveLength(0);
  expect(received).toHaveLength(20);
});

test("the description is readable without an account, and says what Home Assistant looks for", async () => {
  const answer = await controller.local.request("GET", "/desc", NOBODY);
  const device = child(readXml(answer.text), "device");
  expect(["deviceType", "manufacturer", "UDN", "friendlyName"].map((tag) => textOf(device, tag))).toEqual([
    DEVICE,
    "Universal Devices Inc.",
    `uuid:${uuid}`,
    "Domovoi",
  ]);
  expect(answer.text).not.toContain("currOSVersion");
});

test("a start and an end are announced, and a controller that is not announced says nothing", async () => {
  const listener = createSocket({ type: "udp4", reuseAddr: true });
  onTestFinished(() => void listener.close());
  const heard: string[] = [];
  listener.on("message", (bytes) => void heard.push(bytes.toString()));
  listener.bind(PORT);
  await once(listener, "listening");
  listener.addMembership(GROUP, "127.0.0.1");

  await using other = await startTestController({ announce: true, demo: false }, { seed: 2 });
  const own = () => heard.filter((text) => text.includes(other.services.home.controller.uuid));
  const types = (what: string) => own().filter((text) => text.includes(`NTS:ssdp:${what}`));
  await vi.waitFor(() => expect(types("alive")).toHaveLength(5), { timeout: 10_000 });
  expect(types("alive").every((text) => /LOCATION:https:.*\/desc\r\n/.test(text))).toBe(true);
  await other.restart({ announce: false });
  await vi.waitFor(() => expect(types("byebye")).toHaveLength(5), { timeout: 10_000 });
  expect((await other.local.request("GET", "/desc", NOBODY)).status).toBe(401);
  expect(types("alive")).toHaveLength(5);
});
