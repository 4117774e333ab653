import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

type Range = Readonly<Record<string, unknown>> & { readonly names?: Readonly<Record<string, string>> };
type Editor = { readonly id: string; readonly ranges: readonly Range[] };
type Parameter = { readonly id: string; readonly editor: string; readonly init?: string };
type Command = {
  readonly id: string;
  readonly native: string;
  readonly name: string;
  readonly parameters?: readonly Parameter[];
};
type Nodedef = {
  readonly id: string;
  readonly properties: readonly { readonly id: string; readonly editor: string; readonly name: string }[];
  readonly cmds: { readonly sends: readonly Command[]; readonly accepts: readonly Command[] };
  readonly links: { readonly ctl: readonly string[]; readonly rsp: readonly string[] };
};
type Linkdef = { readonly id: string; readonly parameters?: readonly Parameter[] };
type Instance = {
  readonly id: string;
  readonly editors: readonly Editor[];
  readonly linkdefs?: readonly Linkdef[];
  readonly nodedefs?: readonly Nodedef[];
};
type Profile = {
  readonly timestamp: string;
  readonly families: readonly { readonly id: string; readonly name: string; readonly instances: readonly Instance[] }[];
};

const PATH = "/rest/profiles?include=nodedefs,editors,linkdefs";

describe("/rest/profiles", () => {
  let listener: RestListener;
  let profile: Profile;
  let instances: readonly Instance[];

  beforeAll(async () => {
    listener = await openRestListener();
    profile = JSON.parse((await listener.get(PATH)).body);
    instances = profile.families.flatMap((family) => family.instances);
  });
  afterAll(() => listener.close());

  test("JSON without an envelope, the query with literal commas", async () => {
    const answer = await listener.get(PATH);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(Object.keys(profile)).toEqual(["timestamp", "families"]);
    expect(profile.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);
    expect((await listener.get(PATH)).body).toBe(answer.body);
  });

  test("common is first, with one instance that has only editors; family 1 is named by its number", () => {
    const [common] = profile.families;
    expect(common).toMatchObject({ id: "common", name: "Common" });
    expect(common?.instances.map((instance) => Object.keys(instance))).toEqual([["id", "name", "editors"]]);
    expect(profile.families.find(({ id }) => id === "1")?.instances[0]?.nodedefs?.length).toBeGreaterThan(0);
  });

  test("everything has an id", () => {
    const nodedefs = instances.flatMap((instance) => instance.nodedefs ?? []);
    const commands = nodedefs.flatMap(({ cmds }) => [...cmds.sends, ...cmds.accepts]);
    const linkdefs = instances.flatMap((instance) => instance.linkdefs ?? []);
    const editors = instances.flatMap((instance) => instance.editors);
    const all = [
      ...nodedefs,
      ...commands,
      ...linkdefs,
      ...editors,
      ...nodedefs.flatMap(({ properties }) => properties),
    ];
    expect(all.filter(({ id }) => typeof id !== "string" || id === "")).toEqual([]);
  });

  test("ranges have the members and the types that clients read", () => {
    const order = ["uom", "prec", "step", "subset", "min", "max", "names"];
    for (const range of instances.flatMap(({ editors }) => editors.flatMap(({ ranges }) => ranges))) {
      const places = Object.keys(range).map((name) => order.indexOf(name));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(typeof range.uom).toBe("string");
      expect(["undefined", "string"]).toContain(typeof range.subset);
      for (const name of ["prec", "step", "min", "max"]) expect(["undefined", "number"]).toContain(typeof range[name]);
      expect(Object.keys(range.names ?? {}).every((key) => /^-?\d+$/.test(key))).toBe(true);
    }
  });

  test("every editor that is named can be found", () => {
    const common = new Set(instances[0]?.editors.map(({ id }) => id));
    for (const { editors, nodedefs = [], linkdefs = [] } of instances) {
      const own = new Set(editors.map(({ id }) => id));
      const parameters = nodedefs.flatMap(({ cmds }) =>
        [...cmds.sends, ...cmds.accepts].flatMap((command) => command.parameters ?? []),
      );
      const users = [...nodedefs.flatMap(({ properties }) => properties), ...parameters];
      const named = [...users, ...linkdefs.flatMap((linkdef) => linkdef.parameters ?? [])].map(({ editor }) => editor);
      // Not even encoded ones: some clients do not decode them.
      expect(named.filter((id) => !own.has(id) && !common.has(id))).toEqual([]);
    }
  });

  test("nodedefs of radio devices are those of def/get, with equal editors under ids that all clients can look up", async () => {
    const root = await listener.xml("/rest/zwave/node/0/def/get");
    const { editors = [], nodedefs = [] } = profile.families.find(({ id }) => id === "4")?.instances[0] ?? {};
    expect(nodedefs.map(({ id }) => id)).toEqual(root.children.map(({ attributes }) => attributes.id));
    expect(nodedefs.length).toBeGreaterThan(0);
    expect(nodedefs.find(({ id }) => id === "UZW0109")?.properties[0]).toEqual({
      id: "ST",
      editor: "ZW_51_0_R_0_101_N_IX_LVL",
      name: "Status",
    });
    expect(editors.find(({ id }) => id === "ZW_51_0_R_0_101_N_IX_LVL")?.ranges).toEqual([
      { uom: "51", min: 0, max: 101, names: { "0": "Off", "100": "On", "101": "Unknown" } },
    ]);
  });

  test("an encoded editor of a plugin has its unit, precision and range, and labels only under an id of its own", async () => {
    const encoded = ["_17_1_R_m40_120", "_25_0_S_00000003_N_IX_MODE"];
    const properties = encoded.map((editor, at) => ({ id: `GV${at}`, editor, name: "", hide: false }));
    const names = { nls: null, name: "Encoded", icon: null };
    const lists = { sends: [], accepts: [], controlLinks: [], respondLinks: [] };
    const definitions = {
      nodedefs: [{ id: "encoded", ...names, properties, ...lists }],
      names: new Map([["IX_MODE-1", "Away"]]),
    };
    listener.services.profile.declare(10, 99, definitions, false, "test plugin");
    const { families }: Profile = JSON.parse((await listener.get(PATH)).body);
    listener.services.profile.retract("test plugin");
    const plugin = families.find(({ id }) => id === "10")?.instances.find(({ id }) => id === "99");
    const used = plugin?.nodedefs?.[0]?.properties.map(({ editor }) => editor) ?? [];
    expect(used).toEqual(["_17_1_R_m40_120", "F10_25_0_S_00000003_N_IX_MODE"]);
    expect(used.map((id) => plugin?.editors.find((editor) => editor.id === id)?.ranges)).toEqual([
      [{ uom: "17", prec: 1, min: -40, max: 120 }],
      [{ uom: "25", subset: "0-1", names: { "1": "Away" } }],
    ]);
  });

  test("native is a string, sends, accepts and links are always there", () => {
    for (const { cmds, links } of instances.flatMap((instance) => instance.nodedefs ?? [])) {
      for (const { native } of [...cmds.sends, ...cmds.accepts]) expect(["true", "false"]).toContain(native);
      expect([Array.isArray(links.ctl), Array.isArray(links.rsp)]).toEqual([true, true]);
    }
  });

  test("init names a property of the same nodedef, or a command that a cover does not accept", () => {
    for (const { cmds, properties } of instances.flatMap((instance) => instance.nodedefs ?? [])) {
      const isCover = cmds.accepts.some(({ id }) => id === "FDDOWN") && !cmds.accepts.some(({ id }) => id === "DOF");
      const known = new Set([...properties.map(({ id }) => id), ...(isCover ? ["DON", "DOF", "OL"] : [])]);
      const inits = cmds.accepts.flatMap(({ parameters = [] }) => parameters.flatMap(({ init }) => init ?? []));
      expect(inits.filter((id) => !known.has(id))).toEqual([]);
    }
  });

  test("the instance of plugin nodes is one of family 10", () => {
    const slots = new Set(profile.families.find(({ id }) => id === "10")?.instances.map(({ id }) => id));
    const nodes = [...listener.services.home.nodes.values()].filter(({ family }) => family === 10);
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.every(({ instance }) => slots.has(String(instance)))).toBe(true);
  });

  test("a dimmer's DON has a parameter, its ST more than on and off", () => {
    const family = profile.families.find(({ id }) => id === "1")?.instances[0];
    const dimmer = family?.nodedefs?.find(({ id }) => id === "DimmerLampSwitch_ADV");
    expect(dimmer?.cmds.accepts.find(({ id }) => id === "DON")?.parameters?.length).toBeGreaterThan(0);
    const state = dimmer?.properties.find(({ id }) => id === "ST")?.editor ?? "";
    const range = [...(family?.editors ?? []), ...(instances[0]?.editors ?? [])].find(({ id }) => id === state)
      ?.ranges[0];
    expect(Number(range?.max)).toBeGreaterThan(1);
  });

  test("parts that are not requested are left out", async () => {
    const editors: Profile = JSON.parse((await listener.get("/rest/profiles?include=editors,nls")).body);
    for (const { instances: some } of editors.families) {
      for (const instance of some) expect(Object.keys(instance)).toEqual(["id", "name", "editors"]);
    }
    const all = JSON.parse((await listener.get("/rest/profiles")).body);
    expect(all.families).toEqual(profile.families);
  });

  test("a definition that a driver declares later shows in the next answer", async () => {
    const before = (await listener.get(PATH)).body;
    const editor = {
      id: "LATER",
      ranges: [{ uom: 56, prec: 0, min: 0, max: 9, step: null, subset: null, names: new Map() }],
    };
    listener.services.profile.declare(10, 77, { editors: [editor] });
    expect((await listener.get(PATH)).body).not.toBe(before);
    expect((await listener.get(PATH)).body).toContain('{"id":"LATER","ranges":[{"uom":"56","min":0,"max":9}]}');
  });
});

describe("label texts", () => {
  let listener: RestListener;

  beforeAll(async () => {
    listener = await openRestListener();
  });
  afterAll(() => listener.close());

  const file = (family: number | string, name = "en_US.txt") =>
    listener.get(`/rest/profiles/family/${family}/profile/1/download/nls/${name}`);

  test("global and radio families have lines of KEY = VALUE", async () => {
    for (const family of [-1, 4, 12]) {
      const answer = await file(family);
      expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
      const lines = answer.body.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => !/^[^=\s][^=]* = .+$/.test(line))).toEqual([]);
    }
    expect((await file(-1)).body).toMatch(/^CMD-DON-NAME = \S/m);
    expect((await file(-1)).body).toMatch(/^ST-ST-NAME = \S/m);
  });

  test("decision 3: the global family is -1 and 1; the name's case does not matter", async () => {
    expect((await file(1)).body).toBe((await file(-1)).body);
    expect((await file(-1, "en_us.TXT")).body).toBe((await file(-1)).body);
  });

  test("the prefixes that encoded editors use have labels", async () => {
    const [family = 4] = [...listener.services.home.nodes.values()].flatMap((node) =>
      node.devtype ? [node.family] : [],
    );
    const { body: text } = await file(family);
    const { body: xml } = await listener.get(`/rest/${family === 12 ? "zmatter/" : ""}zwave/node/0/def/get`);
    const prefixes = [...xml.matchAll(/editor="_[^"]*_N_([^"]+)"/g)].map(([, prefix]) => prefix ?? "");
    expect(prefixes.filter((prefix) => !new RegExp(`^${prefix}-\\d+ = `, "m").test(text))).toEqual([]);
  });

  test("other files and families are 404", async () => {
    expect((await file(-1, "fr_FR.txt")).status).toBe(404);
    expect((await file(99)).status).toBe(404);
    expect((await listener.get("/rest/profiles/family/1/profile/1/download/nodedef/en_US.txt")).status).toBe(404);
    expect((await file("..%2f..")).status).toBe(404);
  });

  test("there are no node servers of the old kind", async () => {
    for (const path of ["connection", "files"])
      expect((await listener.get(`/rest/profiles/ns/0/${path}`)).status).toBe(404);
  });
});
