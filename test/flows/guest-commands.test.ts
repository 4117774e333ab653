/**
 * What a guest may send to the nodes of its own link: every command of the profile, by both paths. Locks, garage doors, sirens,
 * alarms and the configuration of devices are refused everywhere, and everything else is answered as it is to an owner.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

/** Of the demo home. */
const LAMP = "1A 2B 3C 1";
const SECURED = ["41 2 B7 1", "ZW010_1", "ZY007_1"];
const SECURED_COMMANDS = ["SECMD", "LOCK", "UNLOCK", "ARM", "DISARM"];
/** Write into a device. */
const CONFIGURING = ["CONFIG", "V25_00"];
const ASKING = ["QUERY", "BEEP"];

let controller: TestController;
let guest: Readonly<Record<string, string>>;
/** One of each kind, and every secured one. */
let nodes: readonly string[];
let commands: readonly string[];
let scenes: readonly string[];

beforeAll(async () => {
  controller = await startTestController({ virtualLatencyMs: 0 });
  await controller.login();
  const { home, profile } = controller.services;
  const kinds = new Map([...home.nodes.values()].map((node) => [`${node.family} ${node.nodeDefId}`, node.address]));
  nodes = [...new Set([...kinds.values(), ...SECURED, LAMP])];
  const accepts = profile
    .instances()
    .flatMap(({ nodedefs, dynamicNodedefs }) =>
      [...nodedefs.values(), ...dynamicNodedefs.values()].flatMap((nodedef) => nodedef.accepts),
    );
  commands = [...new Set([...accepts.map(({ id }) => id), ...SECURED_COMMANDS, ...CONFIGURING])];
  scenes = [...home.groups.keys()];
  const made = await controller.portal.post("/api/guests", {
    name: "Walker",
    limits: { nodes, scenes, programs: ["0008"] },
    seconds: 7200,
  });
  guest = { Authorization: `Bearer ${made.json<{ data: { token: string } }>().data.token}` };
});
afterAll(() => controller[Symbol.asyncDispose]());

async function status(path: string, headers = guest): Promise<number> {
  return (await controller.portal.request("GET", `/rest/nodes/${path}`, { headers })).status;
}

const isRefused = (address: string, command: string) =>
  SECURED_COMMANDS.includes(command) ||
  CONFIGURING.includes(command) ||
  (SECURED.includes(address) && !ASKING.includes(command));

const pathsOf = (address: string, command: string) => {
  const node = encodeURIComponent(address);
  return [`${node}/cmd/${command}`, `${node}/cmd/${command}/1`, `${node}/set/${command}/1`];
};

test("the table has commands that are refused and commands that are not, at many kinds of nodes", () => {
  expect(commands.length).toBeGreaterThan(40);
  expect(nodes.length).toBeGreaterThan(15);
});

test("a guest sends no secured command of the profile by any path, and every other one is answered as an owner's", async () => {
  const secured: string[] = [];
  for (const address of nodes) {
    for (const command of commands) {
      for (const path of pathsOf(address, command)) {
        const given = await status(path);
        if (isRefused(address, command)) {
          secured.push(path);
          // A value that the command does not take is refused as such.
          expect([path, given]).toEqual([path, path.endsWith("/1") ? expect.toBeOneOf([400, 403]) : 403]);
        } else expect([path, given]).toEqual([path, await status(path, controller.bearer())]);
      }
    }
  }
  expect(secured.length).toBeGreaterThan(500);
  const byGuest = controller.services.queue.lives.recent().filter(({ address }) => SECURED.includes(address));
  expect(byGuest.filter(({ command }) => !ASKING.includes(command))).toEqual([]);
}, 120_000);

test("a level by /set/ reaches a lamp and no secured node", async () => {
  for (const address of SECURED) expect(await status(`${encodeURIComponent(address)}/set/ST/1`)).toBe(403);
  expect(await status(`${encodeURIComponent(LAMP)}/set/ST/128`)).toBe(200);
});

test("a scene is commanded when none of its members is secured", async () => {
  const { home } = controller.services;
  const holds = (scene: string) => home.groups.get(scene)?.members.some(({ address }) => SECURED.includes(address));
  const [securing = [], plain = []] = [scenes.filter(holds), scenes.filter((scene) => !holds(scene))];
  for (const scene of securing)
    for (const command of ["DON", "DOF", "DFON"]) expect(await status(`${scene}/cmd/${command}`)).toBe(403);
  expect(await status(`${plain[0]}/cmd/DON`)).toBe(200);
  expect([securing.length > 0, plain.length > 0]).toEqual([true, true]);
});

test("a guest runs no program, not one of its link either", async () => {
  for (const verb of ["run", "runThen", "runElse", "runIf", "stop", "enable", "disable"]) {
    const { status: given } = await controller.portal.request("GET", `/rest/programs/0008/${verb}`, { headers: guest });
    expect([verb, given]).toEqual([verb, 403]);
  }
});
