/** Plugin servers hosted by the controller, with the unmodified Node library that such plugins use. */

import { existsSync, readdirSync } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { LIBRARY, lampArchive } from "../support/plugin-archive.ts";

const WAIT = { timeout: 40_000, interval: 30 };
// On a busy machine a plugin, which has a low priority, starts slowly.
vi.setConfig({ testTimeout: 60_000 });
const LAMP = "n001_lamp1";
type Stored = {
  readonly info: { readonly isy_port: number; readonly isy_username: string; readonly isy_password: string };
};

type Plugin = { readonly state: string; readonly reason: string; readonly pid: number | null; readonly home: string };

/** Stores how it can reach the controller, and whether it did. */
const REPORTS_ACCESS = `
poly.on("isyInfo", (info) => setImmediate(async () => {
  const answer = info && (await poly.ISY().runCmd("/rest/nodes"));
  poly.saveCustomData({ info, hasNodes: String(answer).includes("<nodes>") });
}));
`;

/** Answers web hooks with what they bring, as the library for Python can; this one has no call for it. */
const ANSWERS_WEB_HOOKS = `
poly.on("mqttConnected", () => poly._mqttClient.on("message", (topic, text) => {
  const { webhook } = JSON.parse(text);
  if (!webhook) return;
  poly.saveCustomData({ ...poly.getCustomData(), hooked: webhook.query.n });
  // An answer with the next request, when the caller of the first has gone.
  if (webhook.query.n === "late") return;
  if (webhook.query.n === "empty") return poly._sendMessage({ webhook: { status: 204, body: "x" } }, "portal");
  if (webhook.query.n === "after") poly._sendMessage({ webhook: { status: 202, body: "late" } }, "portal");
  poly._sendMessage({ webhook: { status: 201, body: { got: webhook } } }, "portal");
}));
`;

let controller: TestController;
let archive: Buffer;

beforeAll(async () => {
  // The virtual clock runs ahead of the processes of plugins.
  controller = await startTestController({ demo: false, pluginStartMs: 600_000, pluginUnpackedBytesMax: 4_194_304 });
  await controller.login();
  archive = await archiveOf();
}, 30_000);
afterAll(() => controller[Symbol.asyncDispose](), 30_000);

function archiveOf(files: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  return lampArchive(files, REPORTS_ACCESS + ANSWERS_WEB_HOOKS);
}

function upload(path: string, body: Buffer): Promise<Answer> {
  const headers = { ...controller.bearer(), "Content-Type": "application/octet-stream" };
  return controller.portal.request("POST", path, { headers, body });
}

async function plugin(name = "Lamp"): Promise<Plugin> {
  return (await controller.portal.get(`/api/plugin/${name}`)).json<{ data: Plugin }>().data;
}

async function stateOf(name?: string): Promise<string> {
  // The clock is fixed, so pauses between two attempts end at once.
  await controller.clock.advance(1000);
  return (await plugin(name)).state;
}

async function value(id: string, address = LAMP): Promise<string | undefined> {
  const { text } = await controller.portal.get(`/rest/nodes/${address}/${id}`);
  return new RegExp(`<property id="${id}"[^>]* formatted="([^"]*)"`).exec(text)?.[1];
}

test("an archive becomes a running plugin with nodes, names and units", async () => {
  const installed = await upload("/api/plugins?name=Lamp", archive);
  expect(installed.status).toBe(200);
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  await expect.poll(() => value("ST"), WAIT).toBe("0%");
  const { text } = await controller.portal.get(`/rest/nodes/${LAMP}`);
  expect(text).toContain('<name>Attic lamp</name><family instance="1">10</family>');
  expect(text).toContain("<pnode>n001_controller</pnode>");
  expect(await value("ST", "n001_controller")).toBe("Connected");
  const { text: nodes } = await controller.portal.get("/api/nodes");
  expect(nodes).toMatch(/"address":"n001_lamp1"(?:(?!"address").)*"property":\[\]/);
  const profile = (await controller.portal.get("/rest/profiles")).text;
  expect(profile).toContain('"id":"LAMP"');
});

test("the JSON stream says whether plugins are switched on", async () => {
  const stream = await controller.subscribe("api");
  const statuses = () => stream.frames.filter(({ type }) => type === "spolisy").map(({ text }) => text);
  const frame = (status: string) => JSON.stringify({ status });
  await expect.poll(statuses, WAIT).toEqual([frame("active")]);
  await controller.portal.post("/api/plugin/Lamp/stop");
  await expect.poll(statuses, WAIT).toEqual([frame("active"), frame("inactive")]);
  await controller.portal.post("/api/plugin/Lamp/start");
  await expect.poll(statuses, WAIT).toEqual([frame("active"), frame("inactive"), frame("active")]);
  await stream.close();
  // Without moving the clock, because the plugin's polls are counted from its start.
  await expect.poll(async () => (await plugin()).state, WAIT).toBe("running");
});

test("a command reaches it, and what it reports is an event of its node", async () => {
  const stream = await controller.subscribe("rest");
  // Repeated, because a plugin that has just started ignores commands until it has added its nodes again.
  await expect
    .poll(async () => {
      await controller.portal.get(`/rest/nodes/${LAMP}/cmd/DON/40/51`);
      return value("ST");
    }, WAIT)
    .toBe("40%");
  await expect
    .poll(() => stream.frames.map(({ text }) => text).join(""), WAIT)
    .toMatch(/<control>DON<\/control>.*<node>n001_lamp1<\/node>/s);
  await stream.close();
});

test("polls come at their time, and only then", async () => {
  await controller.clock.advance(29_000);
  expect(await value("GV1", "n001_controller")).toBe("0");
  await expect
    .poll(async () => {
      await controller.clock.advance(1000);
      return Number(await value("GV1", "n001_controller"));
    }, WAIT)
    .toBeGreaterThan(0);
});

test("a parameter reaches it at once, and a notice of it can be dismissed", async () => {
  const notices = async () =>
    (await controller.portal.get("/api/plugin/1/config")).json<{ data: { notices: object } }>().data.notices;
  await controller.portal.post("/api/plugin/Lamp/config", { parameters: { room: null } });
  await expect.poll(notices, WAIT).toHaveProperty("room");
  await controller.portal.delete("/api/plugin/Lamp/notice/room");
  expect(await notices()).toEqual({});
  const { data } = (await controller.portal.post("/api/plugin/Lamp/config", { parameters: { room: "Cellar" } })).json<{
    data: { parameters: object };
  }>();
  expect(data.parameters).toEqual({ room: "Cellar" });
});

test("a setting that the disk does not take is not confirmed", async () => {
  const set = async (longPoll: number) =>
    (await controller.portal.post("/api/plugin/Lamp/config", { longPoll })).status;
  const storing = async () => (await controller.portal.post("/api/plugin/Lamp/custom/shelf", { value: "1" })).status;
  const blocker = new DatabaseSync(join(controller.data, "domovoi.sqlite"));
  blocker.exec("BEGIN IMMEDIATE");
  expect([await set(602), await storing()]).toEqual([503, 503]);
  blocker.close();
  await controller.clock.advance(1000);
  await expect.poll(() => set(603), WAIT).toBe(200);
});

test("settings of a stopped plugin are stored and take effect at its next start", async () => {
  await controller.portal.post("/api/plugin/Lamp/stop");
  const change = { parameters: { room: null }, longPoll: 601, webHook: true };
  const changed = await controller.portal.post("/api/plugin/Lamp/config", change);
  expect(changed.json()).toMatchObject({
    data: { parameters: {}, notices: {}, longPoll: 601, webHook: expect.stringMatching(/webhook/) },
  });
  await controller.restart();
  await controller.login();
  const settings = async () =>
    (await controller.portal.get("/api/plugin/Lamp/config")).json<{ data: { notices: object; longPoll: number } }>()
      .data;
  expect(await settings()).toMatchObject({ parameters: {}, longPoll: 601 });
  await controller.portal.post("/api/plugin/Lamp/start");
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  await expect.poll(async () => (await settings()).notices, WAIT).toHaveProperty("room");
  await controller.portal.post("/api/plugin/Lamp/config", { parameters: { room: "Cellar" }, webHook: false });
});

test("its log shows what it wrote and no secret", async () => {
  const { data } = (await controller.portal.get("/api/plugin/Lamp/log")).json<{ data: { text: string } }>();
  expect(data.text).toContain("MQTT client connected");
  const { pid } = await plugin();
  const init = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").find((line) => line.startsWith("PG3INIT="));
  const { token } = JSON.parse(Buffer.from(String(init).slice(8), "base64").toString("utf8"));
  const written = JSON.stringify([controller.lines, data, await controller.portal.get("/api/integrations")]);
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(written).not.toContain(token);
  expect(written).not.toContain(String(init).slice(8));
});

test("it has an account of its own at the REST interface, with the rights that its owner chose", async () => {
  const { data } = (await controller.portal.post("/api/plugin/Lamp/config", { access: "user", shortPoll: 31 })).json<{
    data: object;
  }>();
  expect(data).toMatchObject({ access: "user", shortPoll: 31 });
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  const stored = async () =>
    (await controller.portal.get("/api/plugin/Lamp/custom/customdata")).json<{ data: { value: Stored } }>().data.value;
  await expect.poll(stored, WAIT).toMatchObject({ info: { isy_username: "plugin-1", isy_https: 1 }, hasNodes: true });
  const { isy_port, isy_username, isy_password } = (await stored()).info;
  expect(`https://127.0.0.1:${isy_port}`).toBe(controller.portal.url.replace("localhost", "127.0.0.1"));
  const Authorization = `Basic ${Buffer.from(`${isy_username}:${isy_password}`).toString("base64")}`;
  const ask = (path: string) => controller.portal.request("GET", path, { headers: { Authorization } });
  expect((await ask("/rest/nodes")).text).toContain(LAMP);
  expect((await ask(`/rest/nodes/${LAMP}/cmd/DON`)).status).toBe(200);
  expect((await ask("/api/plugins")).status).toBe(403);
  const log = (await controller.portal.get("/api/plugin/Lamp/log")).text;
  expect(JSON.stringify([controller.lines, log])).not.toContain(isy_password);
  await controller.portal.post("/api/plugin/Lamp/config", { access: "none" });
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  expect((await ask("/rest/nodes")).status).toBe(401);
});

describe("web hooks", () => {
  const turn = async (webHook: boolean) =>
    (await controller.portal.post("/api/plugin/Lamp/config", { webHook })).json<{ data: { webHook: string | null } }>()
      .data.webHook;
  const hooked = async () => (await controller.portal.get("/api/plugin/Lamp/custom/customdata")).text;
  const call = (path: string, body: object) =>
    controller.portal.request("POST", path, {
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-Hub": "7", Cookie: "a=b" },
    });

  test("a request reaches the plugin without what belongs to the controller, and is answered as the plugin does", async () => {
    const path = await turn(true);
    expect(path).toMatch(/^\/api\/plugin\/1\/webhook\/[\w-]{24}$/);
    const answer = await call(`${path}/response?n=1`, { a: [1] });
    expect(answer.status).toBe(201);
    const { got } = answer.json<{ got: { headers: Record<string, string>; query: object; body: object } }>();
    expect(got).toMatchObject({ query: { n: "1" }, body: { a: [1] }, headers: { "x-hub": "7" } });
    expect(Object.keys(got.headers)).not.toContain("cookie");
    const empty = await call(`${path}/response?n=empty`, {});
    expect([empty.status, empty.text, empty.headers["content-length"]]).toEqual([204, "", undefined]);
    expect(await call(`${path}?n=2`, {})).toMatchObject({ status: 200, text: "" });
    await expect.poll(hooked, WAIT).toContain('"hooked":"2"');
  });

  test.each([
    ["application/x-www-form-urlencoded", "event=motion&room=a%20b", { event: "motion", room: "a b" }],
    ["text/plain; charset=utf-8", "motion", "motion"],
  ])("a body of the type %s reaches the plugin", async (type, body, received) => {
    const path = await turn(true);
    const headers = { "Content-Type": type };
    const answer = await controller.portal.request("PUT", `${path}/response?n=4`, { body, headers });
    expect(answer.json<{ got: object }>().got).toMatchObject({ body: received });
    const picture = { body, headers: { "Content-Type": "image/png" } };
    expect((await controller.portal.request("POST", `${path}/response?n=5`, picture)).status).toBe(415);
  });

  test("a late answer reaches no other caller", async () => {
    const path = await turn(true);
    const statuses: number[] = [];
    const count = ({ status }: Answer) => statuses.push(status);
    const calls = [call(`${path}/response?n=late`, {}).then(count), call(`${path}/response?n=next`, {}).then(count)];
    await expect
      .poll(async () => {
        await controller.clock.advance(1000);
        return statuses;
      }, WAIT)
      .toEqual([503, 503]);
    await Promise.all(calls);
    const refused = await call(`${path}/response?n=3`, {});
    expect(refused.json()).toMatchObject({
      errorMessage: "The plugin has not answered an earlier request. Try again in a minute.",
    });
    // The plugin sends the late answer, and one to this request, which has no waiting caller.
    expect(await call(`${path}?n=after`, {})).toMatchObject({ status: 200, text: "" });
    await expect.poll(hooked, WAIT).toContain('"hooked":"after"');
    await controller.clock.advance(2000);
    // The late answer may still wait behind the stored data, which goes to the disk first.
    const fourth = async () => (await call(`${path}/response?n=4`, {})).json();
    await expect.poll(fourth, WAIT).toMatchObject({ got: { query: { n: "4" } } });
  });

  test("a plugin that never answers gets requests again after a minute", async () => {
    const path = await turn(true);
    const statuses: number[] = [];
    const silent = call(`${path}/response?n=late`, {}).then(({ status }) => statuses.push(status));
    await expect
      .poll(async () => {
        await controller.clock.advance(1000);
        return statuses;
      }, WAIT)
      .toEqual([503]);
    await silent;
    await controller.clock.advance(60_000);
    expect((await call(`${path}/response?n=5`, {})).status).toBe(201);
  });

  test("there is a limit on their number, and a wrong key, another slot and one that was turned off are all unknown", async () => {
    const path = String(await turn(true));
    const statuses = new Set<number>();
    for (let count = 0; count < 30; count += 1) statuses.add((await call(path, {})).status);
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await call(`${path}x`, {})).status).toBe(404);
    expect((await call(path.replace("/1/", "/7/"), {})).status).toBe(404);
    expect(await turn(false)).toBeNull();
    expect((await call(path, {})).status).toBe(404);
    expect(await turn(true)).not.toBe(path);
    expect(JSON.stringify(controller.lines)).not.toContain(path);
    await turn(false);
  });
});

describe("at the broker", () => {
  type Mqtt = { connect(url: string, options: object): Client };
  type Client = {
    on(event: string, heard: (...args: never[]) => void): void;
    subscribe(topic: string, done: (error: unknown, granted: { qos: number }[]) => void): void;
    publish(topic: string, text: string): void;
    end(force: boolean): void;
  };
  const mqtt = createRequire(join(LIBRARY, "index.js"))("mqtt") as Mqtt;

  async function loginOf(): Promise<Readonly<Record<string, string>>> {
    const { pid } = await plugin();
    const init = (await readFile(`/proc/${pid}/environ`, "utf8"))
      .split("\0")
      .find((line) => line.startsWith("PG3INIT="));
    return JSON.parse(Buffer.from(String(init).slice(8), "base64").toString("utf8"));
  }

  function connected(port: string, clientId: string, password: string, keys: object = {}): Promise<Client | string> {
    const options = { clientId, username: clientId, password, rejectUnauthorized: false, reconnectPeriod: 0, ...keys };
    const client = mqtt.connect(`mqtts://127.0.0.1:${port}`, options);
    return new Promise((done) => {
      client.on("connect", () => done(client));
      client.on("error", (...[error]: readonly Error[]) => done(String(error?.message)));
      client.on("close", () => done("closed"));
    });
  }

  test("with the key pair of the login an owner watches what plugins publish", async () => {
    const { ssl } = await controller.login();
    expect(Object.keys(ssl).sort()).toEqual(["ca", "cert", "key"]);
    const { mqttPort = "" } = await loginOf();
    const client = await connected(mqttPort, "watcher", "", ssl);
    if (typeof client === "string") throw new Error(client);
    const topics: string[] = [];
    client.on("message", (topic: string) => void topics.push(topic));
    await new Promise<void>((done) => client.subscribe("udi/pg3/#", () => done()));
    await controller.portal.get(`/rest/nodes/${LAMP}/cmd/DON/41/51`);
    await expect.poll(() => topics.some((topic) => topic.startsWith("udi/pg3/ns/status/")), WAIT).toBe(true);
    expect(topics.filter((topic) => topic.includes("/clients/"))).toEqual([]);
    client.end(true);
    expect(JSON.stringify(controller.lines)).not.toContain(String(ssl.key).split("\n")[1]);
  });

  test("a wrong token and a foreign id are refused", async () => {
    const { mqttPort = "", uuid, profileNum, token = "" } = await loginOf();
    expect(await connected(mqttPort, `${uuid}_${profileNum}`, "wrong")).toMatch(/Bad username or password/);
    expect(await connected(mqttPort, `${uuid}_9`, token)).toMatch(/Bad username or password/);
    expect(await stateOf()).toBe("running");
  });

  test("a plugin can neither read nor publish under the id of another one", async () => {
    const { mqttPort = "", uuid, profileNum, token = "" } = await loginOf();
    const other = `${uuid}_2`;
    const client = await connected(mqttPort, `${uuid}_${profileNum}`, token);
    if (typeof client === "string") throw new Error(client);
    const granted = await new Promise<number[]>((done) =>
      client.subscribe(`udi/pg3/ns/clients/${other}`, (_error, all) => done(all.map(({ qos }) => qos))),
    );
    expect(granted).toEqual([128]);
    const ended = new Promise((done) => client.on("close", () => done("closed")));
    client.publish(
      `udi/pg3/ns/status/${other}`,
      JSON.stringify({ set: [{ address: "x", driver: "ST", value: 1, uom: 2 }] }),
    );
    expect(await ended).toBe("closed");
    client.end(true);
    await expect.poll(() => stateOf(), WAIT).toBe("running");
  });
});

test("a killed plugin shows the signal, is started again, and keeps its nodes and the owner's names", async () => {
  await controller.portal.get(`/rest/nodes/${LAMP}/change?name=Reading%20lamp`);
  const { pid, home } = await plugin();
  // An error of its day, which has nothing to do with its end.
  await appendFile(join(home, "logs", "debug.log"), "KeyError: 2\n");
  process.kill(Number(pid), "SIGKILL");
  await expect.poll(async () => (await plugin()).reason, WAIT).toBe("The plugin ended by signal SIGKILL.");
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  expect((await plugin()).pid).not.toBe(pid);
  await expect.poll(() => value("ST", "n001_controller"), WAIT).toBe("Connected");
  expect((await controller.portal.get("/rest/nodes")).text).toContain("Reading lamp");
});

test("a node server from before plugins reports into its slot", async () => {
  const ask = async (path: string) => (await controller.portal.get(`/rest/ns/1/${path}`)).status;
  expect(await ask("nodes/n001_old1/add/LAMP?primary=n001_controller&name=Old%20lamp")).toBe(200);
  expect(await ask("nodes/n001_old1/report/status/ST/30/51")).toBe(200);
  expect(await value("ST", "n001_old1")).toBe("30%");
  expect(await ask("nodes/n001_old1/report/cmd/DON")).toBe(200);
  expect(await ask("nodes/n001_old1/rename?name=Older")).toBe(200);
  expect((await controller.portal.get("/rest/nodes/n001_old1")).text).toContain("<name>Older</name>");
  expect(await ask("nodes/n001_old1/remove")).toBe(200);
  expect(await ask("nodes/n001_old1/report/status/ST/30/51")).toBe(404);
  expect(await ask("nodes/n001_a b/add/LAMP".replace(" ", "%20"))).toBe(400);
  expect(await ask("nodes/n001_old1/paint")).toBe(404);
  expect((await controller.portal.get("/rest/ns/9/nodes/n009_a/remove")).status).toBe(404);
});

test("it starts with the controller, with its stored data", async () => {
  await controller.restart();
  await controller.login();
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  const { data } = (await controller.portal.get("/api/plugin/Lamp/config")).json<{ data: { parameters: object } }>();
  expect(data.parameters).toEqual({ room: "Cellar" });
  expect((await controller.portal.get("/rest/nodes")).text).toContain("Reading lamp");
});

test("an upgrade puts new files in the place of the old ones, and keeps its log and the folder that server.json names", async () => {
  const { home } = await plugin();
  await writeFile(join(home, "left-over.txt"), "of the old version");
  await mkdir(join(home, "memory"));
  await writeFile(join(home, "memory", "seen.txt"), "3");
  const files = { "NEWS.txt": "2", "server.json": '{"persist_folder":"memory"}' };
  const upgraded = await upload("/api/plugin/Lamp/upgrade", await archiveOf(files));
  expect(upgraded.status).toBe(200);
  await expect.poll(() => stateOf(), WAIT).toBe("running");
  expect(existsSync(join(home, "left-over.txt"))).toBe(false);
  expect(existsSync(join(home, "logs"))).toBe(true);
  expect(existsSync(join(home, "NEWS.txt"))).toBe(true);
  expect(existsSync(join(home, "memory", "seen.txt"))).toBe(true);
});

describe("refused, with nothing left behind", () => {
  const refused = async (body: Buffer, query = "") => {
    const answer = await upload(`/api/plugins${query}`, body);
    return [answer.status, answer.json<{ errorMessage: string }>().errorMessage];
  };
  const zip = (files: Readonly<Record<string, string>>) =>
    Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))));

  test.each([
    ["what is no archive", Buffer.from("hello"), "The file is neither a .tgz nor a .zip archive."],
    ["an archive that ends early", Buffer.from([0x1f, 0x8b, 8, 0]), "The archive cannot be read"],
    [
      "far more than it seems",
      gzipSync(Buffer.alloc(30_000_000)),
      "Unpacked, the archive is longer than 4194304 bytes",
    ],
    ["an archive in an archive", gzipSync(gzipSync("hello")), "The archive is compressed twice."],
    ["a path that leads outside", zip({ "../../evil.py": "Interface()" }), "leads outside"],
    ["nothing to run", zip({ "readme.md": "hello" }), "none of its .py and .js files creates an Interface"],
    ["two files to run", zip({ "a.py": "Interface()", "b.py": "Interface()" }), "Choose one with --executable"],
    [
      "a long server.json",
      zip({ "server.json": `{"name":"${"x".repeat(262_144)}"}`, "a.py": "Interface()" }),
      "is longer",
    ],
    ["a broken server.json", zip({ "server.json": "{", "a.py": "Interface()" }), "is not a JSON object"],
    [
      "an executable elsewhere",
      zip({ "server.json": '{"executable":"/bin/sh"}' }),
      "is not a file of the plugin's own",
    ],
    ["an executable that is missing", zip({ "server.json": '{"executable":"x.py"}' }), 'There is no file "x.py"'],
  ])("%s", async (_what, body, sentence) => {
    const [status, message] = await refused(body);
    expect(status).toBe(400);
    expect(message).toContain(sentence);
    expect(readdirSync(join(controller.data, "plugins"))).toEqual(["example-lamp"]);
  });

  test("a name that another plugin has", async () => {
    expect(await refused(archive, "?name=Lamp")).toEqual([
      409,
      'There is a plugin "Lamp" already. Choose another name, or upgrade that plugin.',
    ]);
  });
});

test("one that fails at its start says what it said", async () => {
  const broken = await archiveOf({ "lamp.js": 'console.error("TypeError: no lamp here");process.exit(3)' });
  await upload("/api/plugins?name=Broken", broken);
  await expect.poll(async () => (await plugin("Broken")).state, WAIT).toBe("crashed");
  expect((await plugin("Broken")).reason).toBe("The plugin ended with code 3: TypeError: no lamp here");
  expect((await controller.portal.get("/api/plugin/Broken/log")).text).toContain("TypeError: no lamp here");
  await controller.portal.delete("/api/plugin/Broken");
});

test("removed, it leaves no node, no process and no file", async () => {
  const { pid, home } = await plugin();
  expect((await controller.portal.delete("/api/plugin/Lamp")).status).toBe(200);
  expect(existsSync(home)).toBe(false);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect((await controller.portal.get("/rest/nodes")).text).not.toContain("n001_");
  expect((await controller.portal.get("/api/plugins")).json<{ data: unknown[] }>().data).toEqual([]);
  expect((await controller.portal.get("/rest/profiles")).text).not.toContain('"LAMP"');
});
