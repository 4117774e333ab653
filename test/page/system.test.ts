/** System in the page: plugins, guest links, radio networks, health and log. */

import { X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@domovoi/client";
import axe from "axe-core";
import { expect, test } from "vitest";
import { switchPlan } from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import { makeAuthority } from "../../src/http/make-certificate.ts";
import { makePrivateKey } from "../../src/util/private-key.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { OWNER } from "../support/controller.ts";
import { lampArchive } from "../support/plugin-archive.ts";
import { serveRadio } from "../support/radio-server.ts";
import { DESK, open, overflow, PHONE, request, seriousFaults, sessionEnded, usePages } from "./visits.ts";

const FORM = `poly.on("config", () => poly.saveTypedParams([
  { name: "host", title: "Address of the lamp", isRequired: true },
  { name: "rooms", title: "Rooms", isList: true },
]));`;
const PIN = "34028";

const { visit, visitSignedIn, signIn, url } = usePages(async (data) => {
  const network = await createSimulatedNetwork({ devices: [switchPlan({ name: "Plug" })] });
  const config = join(data, "settings.json");
  const token = join(data, "metrics-token");
  await writeFile(token, "a token that is long enough", { mode: 0o600 });
  // Tests may run as root on a machine without bubblewrap.
  const settings = { metricsTokenFile: token, zwavePort: (await serveRadio(network)).url, pluginAsRoot: true };
  await writeFile(config, JSON.stringify(settings));
  return ["--config", config];
});

test("radio networks, plugins, people and health on desk and phone: nothing serious for axe, nothing cut off", async () => {
  await using early = await visit(DESK);
  // Until the radio has started, the controller says that it is not ready.
  const health = async () => (await early.page.request.get(`${url()}/healthz`)).status();
  await expect.poll(health, { timeout: 30_000 }).toBe(200);
  await using visitor = await visitSignedIn("/system/radios", DESK);
  const { page } = visitor;
  await page.evaluate(axe.source);
  await page.getByText("alive").first().waitFor();
  for (const place of [
    "/system/radios",
    "/system/plugins",
    "/system/people",
    "/system/certificate",
    "/system/health",
  ]) {
    await open(page, place);
    await page.locator(".card h2:visible").first().waitFor();
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      expect({ place, viewport, faults: await seriousFaults(page) }).toEqual({ place, viewport, faults: [] });
      expect({ place, viewport, overflow: await overflow(page) }).toEqual({ place, viewport, overflow: 0 });
    }
  }
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("a plugin is installed from a file, set by its parameters and its form, restarted and removed", async ({
  task,
}) => {
  // A failed try leaves its plugin, which a second try must not find.
  const name = `Lamp ${task.result?.retryCount ?? 0}`;
  await using visitor = await visitSignedIn("/system/plugins", DESK);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Install a plugin" }).click();
  const archive = await lampArchive({}, FORM);
  await dialog.getByLabel("Archive").setInputFiles({ name: "lamp.tgz", mimeType: "application/gzip", buffer: archive });
  await dialog.getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name, exact: true }).getByText("running").waitFor();

  const parameters = page.getByRole("region", { name: "Parameters" });
  await parameters.getByLabel("room").fill("");
  await parameters.getByRole("button", { name: "Save the parameters" }).click();
  const notices = page.getByRole("region", { name: "Notices" });
  await notices.getByText("Say in which room the lamp is").waitFor();
  await notices.getByRole("button", { name: "Dismiss the notice room" }).press("Enter");
  await notices.waitFor({ state: "detached" });
  await parameters.getByLabel("Name").fill("room");
  await parameters.getByLabel("Value").fill("Attic");
  await page.keyboard.press("Enter");
  await parameters.getByLabel("room").waitFor();

  const form = page.getByRole("region", { name: "Its form" });
  await form.getByLabel("Address of the lamp").fill("192.0.2.10");
  await form.getByLabel("Rooms").fill("Attic\nCellar");
  // Both refresh the page's data: what was typed stays. The second click waits for the first refresh.
  await page.getByRole("button", { name: "Look for devices" }).click();
  await page.getByRole("button", { name: "Look for devices" }).click();
  expect(await form.getByLabel("Address of the lamp").inputValue()).toBe("192.0.2.10");
  const saved = page.waitForResponse((response) => response.url().endsWith("/config"));
  await form.getByRole("button", { name: "Save the form" }).click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  expect(await form.getByLabel("Rooms").inputValue()).toBe("Attic\nCellar");

  const settings = { auth_endpoint: "https://auth.example.org/", token_endpoint: "https://auth.example.org/token" };
  const slot = new URL(page.url()).pathname.split("/").at(-1);
  const account = { client_id: "home", client_secret: "a secret" };
  await request(page, "POST", `/api/plugin/${slot}/custom/oauth`, { value: { ...settings, ...account } });
  await page.getByRole("button", { name: "Sign in" }).press("Enter");
  const link = await page.getByRole("link", { name: "Open the service's page" }).getAttribute("href");
  expect(link).toMatch(/^https:\/\/auth\.example\.org\/\?.*redirect_uri=/);

  const webHook = page.getByRole("switch", { name: "Web address" });
  await webHook.press("Space");
  const address = await page.getByRole("textbox", { name: "Address", exact: true }).inputValue();
  expect((await page.request.get(`${address}wrong`)).status()).toBe(404);
  expect((await page.request.get(address)).status()).toBe(200);
  await webHook.press("Space");
  await page.getByRole("textbox", { name: "Address", exact: true }).waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("stopped").first().waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("region", { name, exact: true }).getByText("running").waitFor();
  await page.getByRole("region", { name: "Log" }).locator("pre").waitFor();
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Install a plugin" }).waitFor();
  await page.getByRole("link", { name }).waitFor({ state: "detached" });
  expect(visitor.problems).toEqual([]);
}, 90_000);

test("a target of network resources is allowed on the page", async () => {
  await using visitor = await visitSignedIn("/system/resources");
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  const open = () => page.getByRole("button", { name: "Allowed targets" }).click();
  await open();
  await dialog.getByRole("textbox").fill("169.254.7.1\n");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await open();
  await dialog.getByRole("textbox").waitFor();
  expect(await dialog.getByRole("textbox").inputValue()).toBe("169.254.7.1");
  expect(visitor.problems).toEqual([]);
});

test("a badge leads to Health, which names a failed plugin and a failed channel, each with its place", async ({
  task,
}) => {
  const name = `Broken ${task.result?.retryCount ?? 0}`;
  await using owner = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const plugin = await owner.plugins.install(new Uint8Array(await lampArchive({}, "process.exit(3);")), { name });
  const settings = { url: "http://127.0.0.1:9/" };
  const channel = await owner.integrations.add({ type: "webhook", name: `Hook ${name}`, settings });
  await owner.integrations.testChannel(channel.id).catch(() => {});
  const failing = async () =>
    (await owner.integrations.list()).filter((each) => each.name.includes(name) && /failed|degraded/.test(each.state));
  await expect.poll(async () => (await failing()).length, { timeout: 20_000 }).toBe(2);
  await using visitor = await visitSignedIn("/", DESK);
  const { page } = visitor;
  await page.getByRole("link", { name: "System needs attention" }).click();
  await page.getByRole("link", { name: "Integrations needs attention" }).waitFor();
  await page.getByRole("link", { name: "Health and log" }).click();
  const health = page.getByRole("region", { name: "Health" });
  const place = (start: string) => health.getByRole("link", { name: new RegExp(`^${start}: `) }).getAttribute("href");
  expect(await place(`Hook ${name}`)).toBe(`/system/notifications/${channel.id}`);
  expect(await place(name)).toBe(`/system/plugins/${plugin.slot}`);
  await owner.integrations.remove(channel.id);
  await owner.plugins.remove(String(plugin.slot));
}, 60_000);

test("an archive that is no plugin is refused with what is missing", async () => {
  await using visitor = await visitSignedIn("/system/plugins");
  const { page } = visitor;
  await page.getByRole("button", { name: "Install a plugin" }).click();
  const file = { name: "text.tgz", mimeType: "application/gzip", buffer: Buffer.from("not an archive") };
  await page.getByLabel("Archive").setInputFiles(file);
  await page.getByRole("dialog").getByRole("button", { name: "Install a plugin" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("alert").getByText("archive").waitFor();
  await dialog.getByLabel("Or its address").fill("http://169.254.169.254/plugin.tgz");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("networkTargets").waitFor();
});

test("a guest link is made by keyboard, shown as a QR code, opens what it names, and is revoked", async () => {
  await using visitor = await visitSignedIn("/system/people");
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "New guest link" }).press("Enter");
  await dialog.getByLabel("For whom").pressSequentially("Dog walker");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").getByText("Choose at least one").waitFor();
  await dialog.getByRole("checkbox", { name: "Hall", exact: true }).press("Space");
  await dialog.getByLabel("For whom").press("Enter");
  await dialog.getByRole("img", { name: "QR code" }).waitFor();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toMatch(new RegExp(`^${url()}/#guest\\.`));
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "I have passed it on" }).click();
  await page.getByText("Dog walker").waitFor();

  await using guest = await visit();
  await guest.page.goto(link);
  await guest.page.getByRole("heading", { name: "Hall", exact: true }).waitFor();
  await page.getByRole("button", { name: "Revoke the link for Dog walker?" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("No guest links.").waitFor();
  await guest.page.getByRole("alert").getByText("This guest link has ended.").waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("an account shows where it is signed in, and one of these logins is signed out", async () => {
  await using other = await visit();
  await signIn(other);
  await using visitor = await visitSignedIn("/system/people");
  const { page } = visitor;
  await page.getByText("Where it is signed in").press("Enter");
  await page.getByText("this browser", { exact: true }).waitFor();
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  // The latest login is the first one.
  await page
    .getByRole("button", { name: /^Sign out Chrome, Linux/ })
    .first()
    .press("Enter");
  await sessionEnded(other.page).waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("the certificate is shown with its fingerprint, read again, and its authority saved for other devices", async () => {
  await using visitor = await visitSignedIn("/system/certificate", DESK);
  const { page } = visitor;
  await page.getByText(/^valid for \d+ days$/).waitFor();
  await page.getByRole("button", { name: "Read again" }).press("Enter");
  await page.getByText("The certificate was read again.").waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the authority's certificate" }).press("Enter");
  const authority = new X509Certificate(await readFile(await (await saved).path()));
  expect(authority.ca).toBe(true);
  await page.getByText(authority.fingerprint256).waitFor();

  const key = makePrivateKey();
  const cert = await makeAuthority(key, { nowMs: Date.now(), randomness: seededRandomness(1) });
  const file = (name: string, text: string) => ({
    name,
    mimeType: "application/x-pem-file",
    buffer: Buffer.from(text),
  });
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Use your own certificate" }).press("Enter");
  await dialog.getByLabel("Certificate (PEM)").setInputFiles(file("cert.pem", cert));
  await dialog.getByLabel("Private key (PEM)").setInputFiles(file("key.pem", key));
  await dialog.getByRole("button", { name: "Use it" }).press("Enter");
  await page.getByText(new X509Certificate(cert).fingerprint256).waitFor();
  await page.getByRole("button", { name: "Remove" }).press("Enter");
  await dialog.getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByText("The controller made this certificate").waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("radio health shows each device, a ping is answered, and a key is put on the list of SmartStart", async () => {
  await using visitor = await visitSignedIn("/system/radios", DESK);
  const { page } = visitor;
  const dialog = page.getByRole("dialog");
  await page.getByText("alive").waitFor();
  await page.getByRole("button", { name: /^Ping / }).click();
  await page.getByText(/answers in/).waitFor();
  await page.getByRole("button", { name: "Add a device" }).click();
  await dialog.getByLabel("Code or key").fill(`${PIN}-11111-22222-33333-44444-55555-06666-07777`);
  await dialog.getByLabel("S2-authenticated").check();
  await dialog.getByRole("button", { name: "Add a device" }).click();
  await page.getByText("not joined yet").waitFor();
  await page.getByRole("button", { name: /^Remove 34028/ }).click();
  await page.getByText("not joined yet").waitFor({ state: "detached" });
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("where the browser reads codes, the camera fills in the field", async () => {
  await using visitor = await visit();
  await visitor.context.addInitScript(`
    globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: "https://example.org" }, { rawValue: "900132782003515253${"0".repeat(50)}" }]; } };
    const canvas = document.createElement("canvas");
    setInterval(() => canvas.getContext("2d").fillRect(0, 0, 1, 1), 20);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();
  `);
  await signIn(visitor, "/system/radios");
  const { page } = visitor;
  await page.getByRole("button", { name: "Add a device" }).click();
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await page.locator("input[name=code]:valid").waitFor();
  expect(await page.getByLabel("Code or key").inputValue()).toMatch(/^9001/);
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("health shows the machine, answer times and the log", async () => {
  await using visitor = await visitSignedIn("/system/health", DESK);
  const { page } = visitor;
  await page.getByText("within").first().waitFor();
  await page.getByText("zwavePort").waitFor();
  const log = page.getByRole("region", { name: "Log" });
  await log.locator("pre").waitFor();
  expect(await log.locator("pre").textContent()).toMatch(/ (info|warn) /);
  const saved = page.waitForEvent("download");
  await log.getByRole("button", { name: "Save as a file" }).click();
  expect((await saved).suggestedFilename()).toBe("domovoi-report.json");
  expect(visitor.problems).toEqual([]);
}, 60_000);

test("notifications on this device are allowed by a button, and no longer shown when it is removed", async () => {
  await using visitor = await visit();
  const { page } = visitor;
  // A push service cannot be reached from a test, and the worker needs a certificate that the browser trusts.
  await visitor.context.addInitScript(`
    let subscription = null;
    const keys = { p256dh: "B" + "a".repeat(86), auth: "b".repeat(22) };
    const pushManager = {
      getSubscription: async () => subscription,
      subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error("Not as a push service wants it.");
        const unsubscribe = async () => { subscription = null; return true; };
        return (subscription = { unsubscribe, toJSON: () => ({ endpoint: "https://push.example.org/1", keys }) });
      },
    };
    Object.defineProperty(navigator.serviceWorker, "ready", { value: Promise.resolve({ pushManager }) });
    globalThis.asked = 0;
    Notification.requestPermission = async () => (++asked === 1 ? "denied" : "granted");
  `);
  await signIn(visitor, "/system/notifications");
  const card = page.locator(".card").filter({ has: page.getByRole("heading", { name: "On my devices" }) });
  const allow = card.getByRole("button", { name: "Show notifications on this device" });
  await allow.waitFor();
  expect(await page.evaluate("asked")).toBe(0);
  await allow.press("Enter");
  await card.getByRole("alert").getByText("The browser does not allow").waitFor();
  await allow.press("Enter");
  await card.getByText("this device", { exact: true }).waitFor();
  await page.getByRole("link", { name: "owner@example.org" }).waitFor();
  await page.evaluate(axe.source);
  expect(await seriousFaults(page)).toEqual([]);
  await card.getByRole("button", { name: /^Remove / }).press("Enter");
  await allow.waitFor();
  expect(visitor.problems).toEqual([]);
}, 60_000);

const MISSING = [
  ["/node/nothing", "no device"],
  ["/rooms/nothing", "no room"],
  ["/scene/nothing", "no scene"],
  ["/program/FFFF", "no program"],
  ["/system/nothing", "Nothing is at this address"],
  ["/nothing", "Nothing is at this address"],
] as const;

test("the address of a thing that does not exist has a heading, says so, and leads back home", async () => {
  await using visitor = await visitSignedIn("/");
  const { page } = visitor;
  const home = page.getByRole("heading", { name: "Hall", exact: true });
  await home.waitFor();
  for (const [address, text] of MISSING) {
    await open(page, address);
    await page.getByRole("alert").filter({ hasText: text }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    await page.locator("main").getByRole("link", { name: "Open Home" }).click();
    await home.waitFor();
  }
  expect(visitor.problems).toEqual([]);
}, 60_000);
test("in German the types of integrations and channels are German", async () => {
  await using visitor = await visitSignedIn("/system/integrations", PHONE, { locale: "de-DE" });
  const { page } = visitor;
  await page.getByText("Ein Z-Wave-Adapter und die Geräte seines Netzes.").waitFor();
  const seen = [await page.locator("main").textContent()];
  await open(page, "/system/notifications");
  await page.getByText("Sendet Benachrichtigungen über einen Mailserver (SMTP).").waitFor();
  seen.push(await page.locator("main").textContent());
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const english = (await home.integrations.types()).map(({ about }) => about);
  expect(english.filter((about) => seen.some((text) => text?.includes(about)))).toEqual([]);
}, 60_000);

test("without a move, Move-in says in the demo how to begin one", async () => {
  await using visitor = await visitSignedIn("/system/move-in", PHONE);
  const { page } = visitor;
  await page.getByText(/This is the demo home. To move in/).waitFor();
  expect([await overflow(page), visitor.problems]).toEqual([0, []]);
}, 60_000);

test("integrations, radio networks and plugins are one list with their states; the mesh is a map of links", async () => {
  await using visitor = await visitSignedIn("/system/integrations", PHONE);
  const { page } = visitor;
  const sections = page.getByRole("navigation", { name: "System" });
  expect(await sections.getByRole("link", { name: /Radio|Plugins/ }).count()).toBe(0);
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Z-Wave", exact: true }) });
  await row.getByText("ready").waitFor();
  await row.getByRole("link", { name: "Network" }).click();
  await page.getByText("Map of the mesh").click();
  const map = page.getByRole("group", { name: "Map of the mesh" });
  await map.locator("text").first().or(page.getByText("No route is known yet.")).first().waitFor();
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page), visitor.problems]).toEqual([[], 0, []]);
}, 60_000);

test("what is found in the home is offered with its settings filled in", async () => {
  await using visitor = await visitSignedIn("/system/integrations", PHONE);
  const { page } = visitor;
  const found = { type: "insteon", label: "FTDI FT232R USB UART A1", settings: { port: "/dev/serial/by-id/usb-FTDI" } };
  await page.route("**/api/integrations/found?wait=3", (route) =>
    route.fulfill({ json: { successful: true, data: [found] } }),
  );
  await page.getByRole("button", { name: "Look for devices" }).click();
  await page.getByRole("button", { name: "Add Insteon: FTDI FT232R USB UART A1" }).click();
  expect(await page.getByLabel("Port").inputValue()).toBe(found.settings.port);
  await page.evaluate(axe.source);
  expect([await seriousFaults(page), await overflow(page), visitor.problems]).toEqual([[], 0, []]);
}, 60_000);

test("the list of integrations follows the stream, and asks for nothing while nothing happens", async () => {
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  await using visitor = await visitSignedIn("/system/integrations", PHONE, {});
  const { page } = visitor;
  await page.getByText("Connected").waitFor();
  const failing = await home.integrations.add({
    type: "zwave",
    name: "Shed",
    settings: { port: "/dev/none", network: "second" },
  });
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Shed" }) });
  await row.getByText("failed").waitFor();
  await home.integrations.stop(failing.id);
  await row.getByText("stopped").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.install();
  await page.clock.fastForward(30_000);
  expect(asked).toEqual([]);
  await home.integrations.remove(failing.id);
  await row.waitFor({ state: "detached" });
}, 60_000);

test("in German an integration that failed says why in German, with the port that it names", async () => {
  await using home = await connect({ url: url(), user: OWNER.username, password: OWNER.password, insecure: true });
  const failing = await home.integrations.add({
    type: "zwave",
    name: "Attic",
    settings: { port: "/dev/none", network: "second" },
  });
  await using visitor = await visitSignedIn("/system/integrations", PHONE, { locale: "de-DE" });
  await visitor.page.getByText("/dev/none gibt es nicht. Ist der Adapter eingesteckt?").first().waitFor();
  await home.integrations.remove(failing.id);
}, 60_000);
