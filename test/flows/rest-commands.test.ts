import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Node } from "../../src/home/nodes.ts";
import { child, textOf } from "../support/read-xml.ts";
import { type Answer, openRestListener, type RestListener } from "../support/rest-listener.ts";

let listener: RestListener;
let dimmer: Node;

beforeAll(async () => {
  listener = await openRestListener();
  dimmer = nodeWhere((node) => node.family === 1 && node.properties.has("OL") && node.primary === node.address);
});
afterAll(() => listener.close());

function nodeWhere(fits: (node: Node) => boolean): Node {
  const node = [...listener.services.home.nodes.values()].find((each) => each.enabled && fits(each));
  if (!node) throw new Error("The demo home has no such node.");
  return node;
}

function accepts(node: Node, command: string): boolean {
  const nodedef = listener.services.profile.nodedef(node.nodeDefId, node.family, node.instance);
  return nodedef?.accepts.some(({ id }) => id === command) ?? false;
}

const command = (node: { readonly address: string }, tail: string): Promise<Answer> =>
  listener.get(`/rest/nodes/${encodeURIComponent(node.address)}/${tail}`);

/** Gives the command and settles when the property has come to the value. */
async function leads(node: { readonly address: string }, tail: string, id: string, value: number): Promise<void> {
  const answer = await command(node, tail);
  expect([tail, answer.status]).toEqual([tail, 200]);
  const current = () => listener.services.home.nodes.get(node.address)?.properties.get(id)?.value;
  if (current() !== value) await listener.changed(() => current() === value);
  expect(current()).toBe(value);
}

describe("commands to a dimmer", () => {
  test("the answer is a RestResponse, within a second", async () => {
    const started = performance.now();
    const answer = await command(dimmer, "cmd/DON");
    expect(answer.body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><RestResponse succeeded="true"><status>200</status></RestResponse>',
    );
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("DON without a level goes to the on level, DOF to 0", async () => {
    await leads(dimmer, "cmd/DOF", "ST", 0);
    await leads(dimmer, "set/OL/200", "OL", 200);
    await leads(dimmer, "cmd/DON", "ST", 200);
    await leads(dimmer, "cmd/DOF/", "ST", 0);
  });

  test("a level is a raw byte, or scaled by its unit", async () => {
    await leads(dimmer, "cmd/DON/128", "ST", 128);
    await leads(dimmer, "cmd/DON/75/51", "ST", 191);
    await leads(dimmer, "cmd/DON/100/100", "ST", 100);
    await leads(dimmer, "cmd/DON?.uom51=50", "ST", 128);
  });

  test("the tuple of one client is read for what it means", async () => {
    await leads(dimmer, "cmd/DOF/()", "ST", 0);
    await leads(dimmer, "cmd/DON/(64,)", "ST", 64);
    await leads(dimmer, "cmd/DON/(20,%2051)", "ST", 51);
  });

  test("BMAN fades up, or down from the highest level, and SMAN stops the fade", async () => {
    const level = () => listener.services.home.nodes.get(dimmer.address)?.properties.get("ST")?.value ?? -1;
    for (const { from, ends } of [
      { from: 51, ends: 255 },
      { from: 255, ends: 0 },
      { from: 0, ends: 255 },
    ]) {
      await leads(dimmer, `cmd/DON/${from}`, "ST", from);
      await leads(dimmer, "cmd/BMAN", "ST", ends);
    }
    await leads(dimmer, "cmd/DON/255", "ST", 255);
    expect((await command(dimmer, "cmd/BMAN")).status).toBe(200);
    await listener.changed(() => level() < 255);
    expect((await command(dimmer, "cmd/SMAN")).status).toBe(200);
    expect(level()).toBeGreaterThan(0);
  });

  test("an unknown command is 404 in the form of the surface", async () => {
    const answer = await command(dimmer, "cmd/BOGUS");
    expect(answer.status).toBe(404);
    expect(answer.body).toContain(
      '<RestResponse succeeded="false"><status>404</status><reason code="COMMAND_NOT_ACCEPTED">',
    );
  });

  test("decision 8: a level out of range, or no number, is 400", async () => {
    for (const tail of ["cmd/DON/140/51", "cmd/DON/300", "cmd/DON/-1", "cmd/DON?.uom51=half"]) {
      expect([tail, (await command(dimmer, tail)).status]).toEqual([tail, 400]);
    }
  });

  test("a disabled node refuses in the form of the surface", async () => {
    await command(dimmer, "disable");
    const answer = await command(dimmer, "cmd/DON");
    await command(dimmer, "enable");
    expect(answer.status).toBe(409);
    expect(answer.body).toContain('succeeded="false"');
  });

  test("commands without effect leave the state correct", async () => {
    await leads(dimmer, "cmd/DON/90", "ST", 90);
    listener.changes();
    expect((await command(dimmer, "cmd/DON/90")).status).toBe(200);
    const reported = listener
      .changes()
      .filter((change) => change.type === "property-changed" && change.property.id === "ST");
    expect(reported).toEqual([]);
  });

  test("set writes what cmd writes; ST is switched to", async () => {
    await leads(dimmer, "set/OL/180", "OL", 180);
    await leads(dimmer, "cmd/OL/170", "OL", 170);
    await leads(dimmer, "set/ST/60", "ST", 60);
    await leads(dimmer, "set/ST/0", "ST", 0);
  });

  test("a value that is no number sets nothing", async () => {
    await leads(dimmer, "set/ST/0", "ST", 0);
    for (const [tail, status] of [
      ["set/ST/full", 400],
      ["set/OL/()", 400],
      ["set/ST/256", 400],
    ] as const)
      expect([tail, (await command(dimmer, tail)).status]).toEqual([tail, status]);
    await leads(dimmer, "set/ST/(60,)", "ST", 60);
    await leads(dimmer, "set/ST/(0,)", "ST", 0);
  });

  test("a relay takes set/ST too, though its commands have no level", async () => {
    const relay = nodeWhere((node) => node.nodeDefId.startsWith("Relay"));
    await leads(relay, "set/ST/255", "ST", 255);
    await leads(relay, "set/ST/0", "ST", 0);
  });

  test("the answer names the command, so that its progress can be followed", async () => {
    const { headers } = await command(dimmer, "cmd/DOF");
    const life = listener.services.queue.lives.find(String(headers["domovoi-command"]));
    expect(life).toMatchObject({ address: dimmer.address, command: "DOF" });
  });

  test("of fifty commands at once none is lost", async () => {
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => command(dimmer, `cmd/DON/${n + 1}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("commands to other devices", () => {
  test("SECMD locks and unlocks, LOCK and UNLOCK do the same", async () => {
    const lock = nodeWhere((node) => node.devtype?.category === 111);
    await leads(lock, "cmd/SECMD/0", "ST", 0);
    await leads(lock, "cmd/SECMD/1", "ST", 100);
    await leads(lock, "cmd/UNLOCK", "ST", 0);
    await leads(lock, "cmd/LOCK", "ST", 100);
  });

  test("140 half degrees are 70 °", async () => {
    const thermostat = nodeWhere((node) => node.family === 1 && node.properties.get("CLISPH")?.uom === 101);
    await leads(thermostat, "cmd/CLISPH/140/101", "CLISPH", 140);
    const shown = child(await listener.xml(`/rest/nodes/${encodeURIComponent(thermostat.address)}/CLISPH`), "property");
    expect(shown.attributes).toMatchObject({ value: "140", uom: "101", formatted: "70.0°" });
  });

  test("a bare set-point of a thermostat in half degrees counts half degrees, however it is given", async () => {
    const thermostat = nodeWhere((node) => node.family === 1 && node.properties.get("CLISPH")?.uom === 101);
    for (const [tail, id, value] of [
      ["cmd/CLISPH/140", "CLISPH", 140],
      ["set/CLISPH/139", "CLISPH", 139],
      ["cmd/CLISPH?CLISPH=136", "CLISPH", 136],
      ["cmd/CLISPC/152", "CLISPC", 152],
      ["set/CLISPC/154", "CLISPC", 154],
      ["cmd/CLISPC/77.5/14", "CLISPC", 155],
    ] as const)
      await leads(thermostat, tail, id, value);
    for (const tail of ["cmd/CLISPH/70.5", "cmd/CLISPH/241"]) {
      const answer = await command(thermostat, tail);
      expect([tail, answer.status]).toEqual([tail, 400]);
      expect(answer.body).toContain("Allowed: half degrees without a unit, or 0 to 120 ° (unit 14).");
    }
  });

  test("a thermostat in half degrees says which scale it shows", async () => {
    const thermostat = nodeWhere((node) => node.family === 1 && node.properties.get("CLISPH")?.uom === 101);
    const status = await listener.xml(`/rest/status/${encodeURIComponent(thermostat.address)}`);
    const scale = status.children.find((each) => each.attributes.id === "UOM");
    expect(scale?.attributes).toMatchObject({ value: "2", uom: "0", formatted: "Fahrenheit" });
  });

  test("a mode is set by its number and unit", async () => {
    const thermostat = nodeWhere((node) => node.family === 1 && node.properties.get("CLIMD")?.uom === 98);
    await leads(thermostat, "cmd/CLIMD/2/98", "CLIMD", 2);
    await leads(thermostat, "cmd/CLIMD/1", "CLIMD", 1);
  });

  test("a setpoint may have a fraction and a unit of another scale", async () => {
    const thermostat = nodeWhere((node) => node.family === 1 && node.properties.get("CLISPH")?.uom === 101);
    await leads(thermostat, "cmd/CLISPH/70.5/17", "CLISPH", 141);
  });

  test("a pressed button of a radio device works in percent", async () => {
    const lamp = nodeWhere((node) => node.devtype?.category === 109 && accepts(node, "DON"));
    await leads(lamp, "cmd/DON/40", "ST", 40);
    await leads(lamp, "cmd/DOF", "ST", 0);
  });

  test("a scene commands its members, and only they report", async () => {
    const group = [...listener.services.home.groups.values()].find(({ members }) => members.length > 1);
    if (!group) throw new Error("The demo home has no scene.");
    const members = new Set(group.members.map(({ address }) => address));
    listener.changes();
    for (const tail of ["cmd/DON/40", "cmd/DOF", "cmd/DON"]) expect((await command(group, tail)).status).toBe(200);
    const reported = listener
      .changes()
      .flatMap((change) => (change.type === "property-changed" ? [change.address] : []));
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.filter((address) => !members.has(address))).toEqual([]);
  });

  test("a scene fades in one direction: down only when all its lamps are at their highest level", async () => {
    const fades = (address: string) => {
      const node = listener.services.home.nodes.get(address);
      return node !== undefined && accepts(node, "FDUP");
    };
    const scene = [...listener.services.home.groups.values()].find(
      ({ members }) => members.filter(({ address }) => fades(address)).length > 1,
    );
    const lamps = scene?.members.filter(({ address }) => fades(address)) ?? [];
    const [first] = lamps;
    if (!scene || !first) throw new Error("The demo home has no scene with two dimmers.");
    const all = (share: number) =>
      lamps.every(({ address }) => {
        const st = listener.services.home.nodes.get(address)?.properties.get("ST");
        return st?.value === (st?.uom === 100 ? 255 : 100) * share;
      });
    const fade = async (share: number) => {
      expect((await command(scene, "cmd/BMAN")).status).toBe(200);
      if (!all(share)) await listener.changed(() => all(share));
    };
    expect((await command(first, "cmd/DON/20/51")).status).toBe(200);
    await fade(1);
    await fade(0);
  });

  test("a folder accepts nothing", async () => {
    const [folder = ""] = listener.services.home.folders.keys();
    expect((await listener.get(`/rest/nodes/${folder}/cmd/DON`)).body).toContain("COMMAND_NOT_ACCEPTED");
  });
});

describe("/rest/query", () => {
  test("it answers at once, for one node, a group or all", async () => {
    const [group = ""] = listener.services.home.groups.keys();
    for (const tail of ["", `/${encodeURIComponent(dimmer.address)}`, `/${group}`]) {
      const answer = await listener.get(`/rest/query${tail}`);
      expect(answer.body).toContain('succeeded="true"');
    }
    expect((await listener.get("/rest/query/nobody")).status).toBe(404);
    expect((await command(dimmer, "cmd/QUERY")).status).toBe(200);
  });

  test("names of digits only cannot confuse the query", async () => {
    expect((await command(dimmer, "change?name=42")).status).toBe(200);
    const info = await listener.xml(`/rest/nodes/${encodeURIComponent(dimmer.address)}`);
    expect(textOf(child(info, "node"), "name")).toBe("42");
  });
});
