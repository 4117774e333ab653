/** Runs every example as its README describes: a process with this environment, against a real service. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VirtualClock } from "../src/util/virtual-clock.ts";
import { DomovoiProcess, startService } from "./simulation/service-process.ts";
import { readStoredHome } from "./simulation/stored-home.ts";
import { OWNER, startTestController, type TestController } from "./support/controller.ts";
import { createHttpsClient } from "./support/https-client.ts";
import { MailServer } from "./support/mail-server.ts";
import { temporaryDirectory } from "./support/test-store.ts";

const EXAMPLES = join(import.meta.dirname, "../examples");
let controller: TestController;

beforeAll(async () => {
  controller = await startTestController({}, { clock: new VirtualClock(Date.now()) });
  await controller.login();
});
afterAll(() => controller[Symbol.asyncDispose]());

function start(name: string, ...args: readonly string[]): DomovoiProcess {
  return startAs(OWNER.password, name, args);
}

function startAs(password: string, name: string, args: readonly string[] = []): DomovoiProcess {
  return startAt(controller.controller.portalUrl, controller.data, name, args, password);
}

function startAt(
  url: string,
  data: string,
  name: string,
  args: readonly string[],
  password: string = OWNER.password,
): DomovoiProcess {
  const env = {
    DOMOVOI_URL: url,
    DOMOVOI_USER: OWNER.username,
    DOMOVOI_PASSWORD: password,
    DOMOVOI_CA: join(data, "secrets", "ca-cert"),
  };
  return new DomovoiProcess(args, { env, command: join(EXAMPLES, name) });
}

const statusOf = (address: string) => controller.services.home.nodes.get(address)?.properties.get("ST")?.value;
const command = (address: string, tail: string) =>
  controller.portal.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${tail}`);

/** Again and again until the example has seen it: what the stream begins with is no news. */
async function until(child: DomovoiProcess, act: () => Promise<unknown>, isSeen: () => boolean): Promise<void> {
  let isOver = false;
  const seen = child.until(isSeen).finally(() => {
    isOver = true;
  });
  while (!isOver) await act();
  await seen;
}

test("the README names every example, and nothing else", () => {
  const named = [
    ...readFileSync(join(EXAMPLES, "README.md"), "utf8").matchAll(/^\| `(?:node )?examples\/([\w-]+\.(?:ts|sh))/gm),
  ];
  const there = readdirSync(EXAMPLES).filter((name) => /\.(?:ts|sh)$/.test(name) && name !== "connect.ts");
  expect(named.map(([, name]) => name).sort()).toEqual(there.sort());
});

test("what-is-on lists what is on, by folder", async () => {
  await command("1A 60 A 1", "DON");
  await using child = start("what-is-on.ts");
  const { code, stdout, stderr } = await child.ended;
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Garden & Garage/Porch Light: On\n");
  expect(stdout).toMatch(/\n\d+ of \d+ switches and lamps are on\.\n$/);
});

test.each([
  ["", "DOMOVOI_PASSWORD is what the controller printed at its first start.\n"],
  ["not this one", /^[^\n]*password[^\n]*\n$/],
])("with the password %j an example ends with one sentence", async (password, sentence) => {
  await using child = startAs(password, "what-is-on.ts");
  const { code, stderr } = await child.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
});

test("watch-motion says when something moves", async () => {
  await using child = start("watch-motion.ts");
  await child.until(() => child.stdout.startsWith("Watching "));
  let value = 0;
  const move = () => {
    value = value === 0 ? 255 : 0;
    const { services, clock } = controller;
    const property = { id: "ST", value, uom: 100, prec: 0, text: null, changedAtMs: clock.now() };
    const cause = { kind: "system", id: "test", by: null } as const;
    services.feed.commit({ type: "property-changed", address: "2D 7F E1 1", property }, cause);
    return controller.portal.get("/rest/ping");
  };
  await until(child, move, () => /Hall Motion: motion\n[\s\S]*Hall Motion: still\n/.test(child.stdout));
  child.signal("SIGINT");
  expect(await child.ended).toMatchObject({ code: 0, stderr: "" });
});

test("mirror-switch lets one lamp follow another", async () => {
  await using child = start("mirror-switch.ts", "Hall Ceiling", "Mirror Light");
  await child.until(() => child.stdout.includes("Mirror Light follows Hall Ceiling."));
  let turn = 0;
  const press = () => command("1A 2B 3C 1", turn++ % 2 === 0 ? "DON" : "DOF");
  await until(child, press, () => /sent DON[\s\S]*sent DOF/.test(child.stdout));
  child.signal("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("scene-from-code sets every node, and says of each what came of it", async () => {
  await using child = start("scene-from-code.ts");
  expect(await child.ended).toMatchObject({
    code: 0,
    stderr: "",
    stdout: [
      "Living Room Ceiling: took DON",
      "Floor Lamp: took DON",
      "Living Room Fan Motor: took DON",
      "Desk Lamp: took DOF",
      "",
    ].join("\n"),
  });
  expect([statusOf("1A 2F 90 1"), statusOf("1A 2F 91 1"), statusOf("1A 2F A2 1")]).toEqual([51, 204, 0]);
});

test("variables-to-csv has a line for every variable, quoted where it must be", async () => {
  await controller.portal.post("/api/variables/1/1", { name: '=1+1, "odd"' });
  await using child = start("variables-to-csv.ts");
  const { code, stdout } = await child.ended;
  const [head, first, ...others] = stdout.split("\n");
  expect([code, head, others.length]).toEqual([0, "id,name,type,value,init,written", 20]);
  expect(first).toMatch(/^1\.1,"'=1\+1, ""odd""",integer,12,0,\d{4}-\d\d-\d\dT/);
  expect(stdout).toMatch(/^2\.3,Comfort Temperature,state,21\.5,21,/m);
});

/** Which of the names in the home the guest link in the output shows. */
async function namesSeenBy(stdout: string): Promise<readonly string[]> {
  const [, url = "", token = ""] = /(https:\S+)\/#(guest\.\S+)/.exec(stdout) ?? [];
  const guest = createHttpsClient(
    () => url,
    () => ({ Authorization: `Bearer ${token}` }),
  );
  const { status, text } = await guest.get("/api/nodes");
  guest.close();
  expect(status).toBe(200);
  return ["Stairs Light", "Stairs Motion", "Sofa Lamp", "Reading", "Living Room"].filter((name) => text.includes(name));
}

describe("build-a-home", () => {
  const TIME_MS = 240_000;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await MailServer.start();
  });
  afterAll(() => mail[Symbol.asyncDispose]());

  test(
    "builds a home by the command line alone, from an empty directory",
    async () => {
      const env = { PORTAL_PORT: "0", LOCAL_PORT: "0", DOMOVOI_CONTROLLERS: join(temporaryDirectory(), "none.json") };
      await using child = new DomovoiProcess([temporaryDirectory(), `smtp://127.0.0.1:${mail.port}`], {
        env,
        node: "bash",
        command: join(EXAMPLES, "build-a-home.sh"),
      });
      await child.until(() => child.stdout.includes("Ctrl-C ends it."));
      expect(await namesSeenBy(child.stdout)).toEqual(["Stairs Light"]);
      child.signal("SIGTERM");
      const { stdout } = await child.ended;
      expect(stdout).toContain("Time zone  Europe/Berlin");
      expect(stdout).toMatch(/Sofa Lamp +the scene is commanded +20%/);
      expect(stdout).toMatch(/Delivered by Mail\.[\s\S]*DON at Stairs Motion\./);
      expect(stdout).toMatch(/Create the program "Stairs Motion Light"[\s\S]*Create the folder "Living Room"/);
      expect(mail.mails.length).toBeGreaterThan(0);
    },
    TIME_MS,
  );

  test(
    "builds the same through the client library",
    async () => {
      const data = temporaryDirectory();
      const service = await startService(data, ["--demo-radio"]);
      mail.mails.length = 0;
      await using child = startAt(service.portalUrl, data, "build-a-home.ts", [`smtp://127.0.0.1:${mail.port}`]);
      const { code, stdout, stderr } = await child.ended;
      expect(await namesSeenBy(stdout)).toEqual(["Stairs Light"]);
      await service.process.kill();
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain('Create the program "Stairs Motion Light"');
      const { loaded: home } = readStoredHome(data);
      const [reading] = home.groups.values();
      expect([home.controller.name, reading?.name, reading?.members.length]).toEqual(["Little House", "Reading", 2]);
      expect([...home.folders.values()].map(({ name }) => name)).toEqual(["Living Room", "Stairs"]);
      expect(home.nodes.get("ZW102_1")).toMatchObject({ name: "Sofa Lamp", parent: { kind: "folder" } });
      expect(mail.mails.length).toBeGreaterThan(0);
    },
    TIME_MS,
  );
});
