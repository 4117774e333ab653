import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createVariable, deleteVariable } from "../../src/commands/edit-variables.ts";
import type { Variable } from "../../src/home/variables.ts";
import { names, textOf } from "../support/read-xml.ts";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>';
const CAUSE = { kind: "system", id: "test", by: null } as const;

describe("/rest/vars", () => {
  let listener: RestListener;
  let tenths: Variable;

  beforeAll(async () => {
    listener = await openRestListener({ demo: false });
    for (const type of [1, 2] as const) {
      for (const id of [...listener.services.home.variables[type].keys()])
        await deleteVariable(listener.services, type, id, CAUSE);
    }
  });
  afterAll(() => listener.close());

  test("without variables the lists are open and closed, never self-closed", async () => {
    expect((await listener.get("/rest/vars/definitions/1")).body).toBe(`${PROLOG}<CList type="VAR_INT"></CList>`);
    expect((await listener.get("/rest/vars/definitions/2")).body).toBe(`${PROLOG}<CList type="VAR_STATE"></CList>`);
    for (const type of [1, 2])
      expect((await listener.get(`/rest/vars/get/${type}`)).body).toBe(`${PROLOG}<vars></vars>`);
  });

  test("adding and deleting is published and shows", async () => {
    listener.changes();
    const spare = await createVariable(listener.services, 2, { name: "Spare", prec: 0 }, CAUSE);
    tenths = await createVariable(listener.services, 2, { name: "Set & <point>", prec: 1 }, CAUSE);
    await createVariable(listener.services, 1, { name: "Count", prec: 0 }, CAUSE);
    await deleteVariable(listener.services, 2, spare.id, CAUSE);
    expect(listener.changes().map(({ type }) => type)).toEqual([
      "variable-added",
      "variable-added",
      "variable-added",
      "variable-removed",
    ]);
    expect((await listener.get("/rest/vars/get/2")).body).not.toContain(`id="${spare.id}"`);
  });

  test("both types put together are one document once the joint is cut out", async () => {
    const bodies = await Promise.all([1, 2].map(async (type) => (await listener.get(`/rest/vars/get/${type}`)).body));
    const joined = bodies.join("").replace(`</vars>${PROLOG}<vars>`, "");
    expect(joined.match(/<vars>/g)?.length).toBe(1);
    expect(joined.match(/<var /g)?.length).toBe(2);
    expect(joined).not.toMatch(/>\s+</);
  });

  test("attributes and children stand in their order", async () => {
    const vars = await listener.xml("/rest/vars/get/2");
    for (const variable of vars.children) {
      expect(Object.keys(variable.attributes)).toEqual(["type", "id"]);
      expect(names(variable)).toEqual(["init", "prec", "val", "ts"]);
      expect(textOf(variable, "ts")).toMatch(/^\d{8} \d\d:\d\d:\d\d$/);
    }
  });

  test("definitions and values list the same ids in the same order", async () => {
    for (const type of [1, 2]) {
      const [definitions, values] = await Promise.all([
        listener.xml(`/rest/vars/definitions/${type}`),
        listener.xml(`/rest/vars/get/${type}`),
      ]);
      const ids = (list: typeof values) => list.children.map(({ attributes }) => attributes.id);
      expect(ids(definitions)).toEqual(ids(values));
    }
    const { body } = await listener.get("/rest/vars/definitions/2");
    expect(body).toContain(`<e id="${tenths.id}" name="Set &amp; &lt;point&gt;"><val id="prec">1</val></e>`);
  });

  test("set writes the raw value and is published", async () => {
    listener.changes();
    expect((await listener.get(`/rest/vars/set/2/${tenths.id}/21`)).body).toContain('succeeded="true"');
    expect(listener.changes()).toMatchObject([{ type: "variable-written", variableType: 2, id: tenths.id, value: 21 }]);
    expect(textOf(await listener.xml(`/rest/vars/get/2/${tenths.id}`), "val")).toBe("21");
    await listener.get(`/rest/vars/set/2/${tenths.id}/21`);
    expect(listener.changes().length).toBe(1);
  });

  test("init writes the value for a cold start, and is published", async () => {
    listener.changes();
    await listener.get(`/rest/vars/init/2/${tenths.id}/-7`);
    expect(listener.changes()).toEqual([{ type: "variable-init-written", variableType: 2, id: tenths.id, init: -7 }]);
    const variable = await listener.xml(`/rest/vars/get/2/${tenths.id}`);
    expect([variable.name, textOf(variable, "init"), textOf(variable, "val")]).toEqual(["var", "-7", "21"]);
  });

  test("a fraction is a raw value too, rounded", async () => {
    for (const [written, value] of [
      ["21.0", "21"],
      ["21.6", "22"],
      ["-3.2", "-3"],
    ]) {
      expect((await listener.get(`/rest/vars/set/2/${tenths.id}/${written}`)).status).toBe(200);
      expect(textOf(await listener.xml(`/rest/vars/get/2/${tenths.id}`), "val")).toBe(value);
    }
  });

  test("the doubled prefix and the backslashes of one client write too", async () => {
    expect((await listener.get(`/rest//rest/vars/set/2/${tenths.id}/4/`)).status).toBe(200);
    expect((await listener.get(`/rest/vars%5Cset%5C2%5C${tenths.id}%5C5`)).status).toBe(200);
    expect(textOf(await listener.xml(`/rest/vars/get/2/${tenths.id}`), "val")).toBe("5");
  });

  test("unknown types and ids are 404, what is no number 400", async () => {
    for (const path of ["get/3", "definitions/3", "get/2/999", "get/2/x", "set/2/999/1", "init/3/1/1"]) {
      expect((await listener.get(`/rest/vars/${path}`)).body).toContain("VARIABLE_NOT_FOUND");
    }
    for (const value of ["x", "4294967296", "1e99"]) {
      expect((await listener.get(`/rest/vars/set/2/${tenths.id}/${value}`)).status).toBe(400);
    }
  });
});
