import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Node } from "../../src/home/nodes.ts";
import { child, children, names } from "../support/read-xml.ts";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

const PREFIXES = ["/rest/zwave", "/rest/zmatter/zwave"];

describe("radio devices", () => {
  let listener: RestListener;
  let lock: Node;

  beforeAll(async () => {
    listener = await openRestListener();
    lock = nodeWhere((node) => node.devtype?.category === 111);
  });
  afterAll(() => listener.close());

  function nodeWhere(fits: (node: Node) => boolean): Node {
    const node = [...listener.services.home.nodes.values()].find(fits);
    if (!node) throw new Error("The demo home has no such node.");
    return node;
  }

  test("address 0 gives the generated nodedefs of the prefix's family", async () => {
    for (const [path, family] of [
      ["/rest/zwave", 4],
      ["/rest/zmatter/zwave", 12],
    ] as const) {
      const generated = listener.services.profile
        .instances()
        .filter((instance) => instance.family === family)
        .flatMap((instance) => [...instance.dynamicNodedefs.keys()]);
      const answer = await listener.get(`${path}/node/0/def/get`);
      expect(answer.status).toBe(generated.length === 0 ? 404 : 200);
      expect([...answer.body.matchAll(/<nodedef id="([^"]+)"/g)].map(([, id]) => id)).toEqual(generated);
    }
  });

  test("a nodedef has states, sends, accepts and links in their places", async () => {
    const definitions = await listener.xml(`/rest/zwave/node/${lock.address}/def/get`);
    expect(definitions.name).toBe("nodeDefs");
    const nodedef = child(definitions, "nodedef");
    expect(nodedef.attributes.id).toBe(lock.nodeDefId);
    expect(names(nodedef)).toEqual(["editors", "sts", "cmds", "links"]);
    expect(names(child(nodedef, "cmds"))).toEqual(["sends", "accepts"]);
    expect(names(child(nodedef, "links"))).toEqual(["ctl", "rsp"]);
    expect(children(child(nodedef, "sts"), "st").map(({ attributes }) => attributes.id)).toContain("ST");
  });

  test("booleans are T and F", async () => {
    const { body } = await listener.get(`/rest/zwave/node/${lock.address}/def/get`);
    const flags = [...body.matchAll(/(?:hide|optional|native)="([^"]*)"/g)].map(([, value]) => value);
    expect(flags.filter((value) => value !== "T" && value !== "F")).toEqual([]);
  });

  test("the client that asks for the full definition gets the element it reads", async () => {
    const definitions = await listener.xml(`/rest/zmatter/zwave/node/${lock.address}/def/get?full=true`);
    expect(names(definitions)).toEqual(["nodeDef"]);
    expect((await listener.get("/rest/zwave/node/ZW999_1/def/get")).status).toBe(404);
  });

  test("a parameter is read the same under both prefixes", async () => {
    for (const prefix of PREFIXES) {
      const config = await listener.xml(`${prefix}/node/${lock.address}/config/query/4`);
      expect(config.name).toBe("config");
      expect(Object.keys(config.attributes)).toEqual(["paramNum", "size", "value"]);
      expect(Object.values(config.attributes).every((value) => /^-?\d+$/.test(value))).toBe(true);
    }
    expect((await listener.get(`/rest/zwave/node/${lock.address}/config/query/250`)).body).toContain(
      "PARAMETER_NOT_FOUND",
    );
  });

  test("a written parameter, negative too, is read back and published", async () => {
    listener.changes();
    for (const [prefix, value] of [
      [PREFIXES[0], -2],
      [PREFIXES[1], 7],
    ] as const) {
      const answer = await listener.get(`${prefix}/node/${lock.address}/config/set/3/${value}/1`);
      expect(answer.body).toContain('succeeded="true"');
      const config = await listener.xml(`${prefix}/node/${lock.address}/config/query/3`);
      expect(config.attributes).toEqual({ paramNum: "3", size: "1", value: String(value) });
    }
    expect(listener.changes().some(({ type }) => type === "device-parameter")).toBe(true);
  });

  test("a size that is not 1, 2 or 4 is refused, as is a value that does not fit", async () => {
    for (const tail of ["3/1/3", "3/1/0", "3/1/x", "3/300/1", "3/x/1"]) {
      const answer = await listener.get(`/rest/zwave/node/${lock.address}/config/set/${tail}`);
      expect([tail, answer.status]).toEqual([tail, 400]);
      expect(answer.body).toContain('<RestResponse succeeded="false"><status>400</status>');
    }
  });

  test("codes are set and cleared under both prefixes, and stand in no answer", async () => {
    listener.changes();
    for (const prefix of PREFIXES) {
      const user = `${prefix}/node/${lock.address}/security/user`;
      const set = await listener.get(`${user}/2/set/code/739152`);
      const cleared = await listener.get(`${user}/2/delete`);
      expect([set.status, cleared.status]).toEqual([200, 200]);
      expect((await listener.get(`${user}/9999/delete`)).body).toContain("CODE_SLOT_NOT_FOUND");
      const refused = await listener.get(`${user}/2/set/code/73915x`);
      expect(refused.status).toBe(400);
      expect(refused.body).not.toContain("73915");
    }
    expect(JSON.stringify(listener.changes())).not.toContain("739152");
  });

  test("a wired device has neither parameters nor codes", async () => {
    const wired = encodeURIComponent(nodeWhere((node) => node.family === 1).address);
    for (const tail of ["config/query/1", "security/user/1/delete"]) {
      const answer = await listener.get(`/rest/zwave/node/${wired}/${tail}`);
      expect([404, 501]).toContain(answer.status);
    }
  });
});
