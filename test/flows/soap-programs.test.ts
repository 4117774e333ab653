/** Programs by SOAP and uploads, as a browser admin and older clients edit them. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTriggers } from "../../src/http/api/trigger-xml.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { outcomeOf, type Soap, soapClient } from "../support/soap.ts";

const LAMP = "1A 2B 3C 1";
const ON = `<cmd id="DON" node="${LAMP}"><p id=""><val uom="51" prec="0">40</val></p></cmd>`;
const bare = (then: string) => `<trigger><if></if><then>${then}</then><else></else><comment></comment></trigger>`;

let controller: TestController;
let soap: Soap;

beforeAll(async () => {
  controller = await startTestController({ virtualLatencyMs: 0 });
  await controller.login();
  soap = soapClient(controller.local, controller.basic());
});
afterAll(() => controller.stop());

const programs = () => controller.services.home.programs;
const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, "0");
const highest = () => Math.max(...programs().keys());

async function presentKey(): Promise<string> {
  return /<key>([^<]+)<\/key>/.exec((await soap("GetAllD2D")).text)?.[1] ?? "";
}

async function command(id: number, key: string, inner: string): Promise<number> {
  const answer = await soap("D2DCommand", `<id>${id}</id><key>${key}</key><CDATA><cmd>${inner}</cmd></CDATA>`);
  expect(outcomeOf(answer)?.status).toBe(answer.status === 400 ? 402 : answer.status);
  return answer.status;
}

const post = (path: string, body: string) =>
  controller.local.request("POST", path, { headers: { ...controller.basic(), "Content-Type": "text/xml" }, body });
const upload = async (id: number, body: string, key?: string) =>
  (await post(`/program/upload/${hex(id)}${key === undefined ? "" : `?key=${key}`}`, body)).status;

describe("programs by SOAP", () => {
  test("all of them are read, in an envelope, with a key", async () => {
    const { text, status } = await soap("GetAllD2D");
    expect(status).toBe(200);
    expect(text).toMatch(/<s:Body><key>[0-9A-F]{8}\.[0-9A-F]{4}<\/key><triggers><d2d><trigger><id>1<\/id>/);
    const budget = { charsMax: 1e6, programsMax: 1000, statementsMax: 10_000 };
    const { triggers } = readTriggers(text, budget);
    expect(triggers.map(({ id }) => id)).toEqual([...programs().keys()].sort((a, b) => a - b));
    expect(triggers.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test("the sequence of a browser admin saves a program: keys, upload, flags, broadcast", async () => {
    const id = highest() + 1;
    expect(await command(0, await presentKey(), "<setKey>0AB1.0001</setKey>")).toBe(200);
    expect(await upload(id, bare(ON), "0AB1.0001")).toBe(200);
    expect(await command(id, "0AB1.0001", "<disable /><setKey>0AB1.0002</setKey>")).toBe(200);
    expect(await command(id, "0AB1.0002", "<runAtReboot /><setKey>0AB1.0003</setKey>")).toBe(200);
    expect(await command(0, "0AB1.0003", "<broadcast /><setKey>0AB1.0004</setKey>")).toBe(200);
    expect(programs().get(id)).toMatchObject({
      name: `Program ${hex(id)}`,
      parentId: 1,
      enabled: false,
      runAtStartup: true,
      invalid: null,
    });
    expect((await soap("GetAllD2D")).text).toContain(`<id>${id}</id>`);
  });

  test("an upload leaves name, folder, comment and flags as they are, and is one edit that can be undone", async () => {
    const id = highest();
    await controller.portal.post(`/api/programs/${hex(id)}`, { name: "Landing", comment: "Why", enabled: true });
    const edits = controller.services.home.edits.size;
    expect(await upload(id, `<trigger><if></if><then></then><else>${ON}</else></trigger>`)).toBe(200);
    expect(programs().get(id)).toMatchObject({ name: "Landing", comment: "Why", enabled: true, runAtStartup: true });
    expect(controller.services.home.edits.size).toBe(edits + 1);
    expect(
      await upload(
        id,
        `<triggers><d2d><trigger><id>${id}</id><name>Stairs</name><parent>0</parent><if /><then /><else /></trigger></d2d></triggers>`,
      ),
    ).toBe(200);
    expect(programs().get(id)).toMatchObject({ name: "Stairs", parentId: 1, tree: { then: [], else: [] } });
  });

  test("an old key is refused after a change of somebody else, and nothing is written", async () => {
    const id = highest();
    expect(await command(0, await presentKey(), "<setKey>0AB1.0010</setKey>")).toBe(200);
    await controller.portal.post(`/api/programs/${hex(id)}`, { name: "Changed elsewhere" });
    expect(await upload(id, bare(ON), "0AB1.0010")).toBe(409);
    expect(await command(id, "0AB1.0010", "<disable />")).toBe(409);
    expect(await command(id, "FFFF.FFFF", "<disable />")).toBe(409);
    expect(programs().get(id)).toMatchObject({ name: "Changed elsewhere", enabled: true, tree: { then: [] } });
    expect(await command(id, await presentKey(), "<disable />")).toBe(200);
  });

  test("what cannot be read, is of another program, or would lose statements is refused", async () => {
    const id = highest();
    const before = programs().get(id);
    const next = id + 1;
    expect(await upload(id, bare('<cmd id="DON" node="x" sound="loud"></cmd>'))).toBe(400);
    expect(await upload(id, bare("<launch />"))).toBe(400);
    expect(await upload(id, `<trigger><id>${next}</id><if /><then /><else /></trigger>`)).toBe(400);
    expect(await upload(id, "<trigger>")).toBe(400);
    expect(await upload(id, `<trigger><folder /><if /><then /><else /></trigger>`)).toBe(400);
    expect(await upload(id, bare(ON.repeat(2500)))).toBe(400);
    expect(programs().get(id)).toEqual(before);
    const text = "Program 'Own'\nThen\nSet all lamps in 'Kitchen' On";
    const own = (await controller.portal.post("/api/programs/text", { text })).json<{ data: { id: string } }>().data;
    expect(await upload(Number.parseInt(own.id, 16), bare(ON))).toBe(409);
  });

  test("an editor that shows a part of a program does not remove the rest unseen", async () => {
    const id = highest() + 1;
    const whole =
      '<trigger><name>Away</name><if><and /><var id="1" type="2"><op>IS</op><val prec="0">0</val></var><and />' +
      '<control id="DON" node="2C 10 5 1" op="ISNOT"></control></if><then><repeat><for><times>3</times></for></repeat>' +
      `<wait><seconds>10</seconds><random /></wait>${ON}</then><else /></trigger>`;
    expect(await upload(id, whole)).toBe(200);
    const before = programs().get(id);
    const shown = '<wait><seconds>10</seconds></wait><cmd id="DON" node="1A 2B 3C 1"></cmd>';
    expect(await upload(id, bare(shown))).toBe(409);
    expect(programs().get(id)).toEqual(before);
    const lossy: readonly (readonly [whole: string, shown: string])[] = [
      [
        '<if /><then><cmd id="DON" node="1A 2B 3C 1"><p id=""><val prec="1" uom="51">400</val></p></cmd></then>',
        '<if /><then><cmd id="DON" node="1A 2B 3C 1"><p id=""><val prec="0" uom="51">40</val></p></cmd></then>',
      ],
      [
        '<if><and /><paren><and /><paren><and /><control id="DON" node="2C 10 5 1" op="IS" /></paren></paren></if><then />',
        '<if><and /><paren><and /><control id="DON" node="2C 10 5 1" op="IS" /></paren></if><then />',
      ],
    ];
    for (const [all, part] of lossy) {
      expect(await upload(id, `<trigger><id>${id}</id>${all}<else /></trigger>`)).toBe(200);
      expect([part, await upload(id, `<trigger>${part}<else /></trigger>`)]).toEqual([part, 409]);
      expect([all, await upload(id, `<trigger>${all}<else /></trigger>`)]).toEqual([all, 200]);
    }
    // A whole document says what it replaces.
    expect(await upload(id, `<trigger><id>${id}</id><if /><then>${shown}</then><else /></trigger>`)).toBe(200);
    expect(await upload(id, bare('<cmd id="DON" node="1A 2B 3C 1"></cmd>'))).toBe(200);
  });

  test("numbers that a program has or had are not given again, and deleting is what it says", async () => {
    const id = highest() + 1;
    expect(await upload(id, bare(ON))).toBe(200);
    expect((await post(`/program/delete/${hex(id)}`, "")).status).toBe(200);
    expect(programs().has(id)).toBe(false);
    expect((await post(`/program/delete/${hex(id)}`, "")).status).toBe(404);
    expect(await upload(id, bare(ON))).toBe(409);
    expect((await post("/program/delete/0001", "")).status).toBe(400);
    expect(await upload(0, bare(ON))).toBe(404);
    expect(await command(id, await presentKey(), "<delete />")).toBe(404);
  });

  test("programs move between folders, run and stop", async () => {
    const folder = highest() + 1 + 1;
    expect(await upload(folder, "<trigger><name>Evenings</name><folder /><if /><then /><else /></trigger>")).toBe(200);
    const id = folder + 1;
    expect(await upload(id, bare(ON))).toBe(200);
    expect((await controller.local.get(`/rest/programs/${hex(id)}/set/parent/${hex(folder)}`)).status).toBe(200);
    expect(programs().get(id)?.parentId).toBe(folder);
    expect((await controller.local.get(`/rest/programs/${hex(id)}/set/parent/0FFF`)).status).toBe(400);
    expect(await command(id, await presentKey(), "<runthen />")).toBe(200);
    await controller.clock.advance(1000);
    expect(controller.services.home.nodes.get(LAMP)?.properties.get("ST")?.value).toBe(102);
    expect(await command(0, await presentKey(), "<stop />")).toBe(200);
    expect(await command(id, await presentKey(), "<stop /><launch />")).toBe(400);
  });

  test("files of programs are programs; pages and other files are refused", async () => {
    const id = highest();
    expect(
      (
        await post(
          `/file/upload/CONF/D2D/${hex(id)}.PGM?load=y`,
          `<triggers><d2d><trigger><id>${id}</id><name>File</name><if /><then /><else /></trigger></d2d></triggers>`,
        )
      ).status,
    ).toBe(200);
    expect(programs().get(id)?.name).toBe("File");
    for (const [path, status] of [
      ["/file/upload/WEB/console/index.htm", 403],
      ["/file/upload/USER/WEB/x.htm", 403],
      ["/file/upload/CONF/INTEGER.VAR", 501],
      ["/file/upload/CONF/D2D/../x", 400],
      ["/file/delete/WEB/index.htm", 403],
      ["/file/delete/CONF/D2D/0002.PGM", 501],
    ] as const)
      expect([path, (await post(path, "x")).status]).toEqual([path, status]);
  });
});
