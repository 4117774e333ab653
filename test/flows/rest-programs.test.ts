import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hexId, type Program } from "../../src/home/programs.ts";
import { children, names, textOf } from "../support/read-xml.ts";
import { openRestListener, type RestListener } from "../support/rest-listener.ts";

const VERBS = [
  "run",
  "runIf",
  "runThen",
  "runElse",
  "stop",
  "enable",
  "disable",
  "enableRunAtStartup",
  "disableRunAtStartup",
];

describe("/rest/programs", () => {
  let listener: RestListener;

  beforeAll(async () => {
    listener = await openRestListener();
  });
  afterAll(() => listener.close());

  function someProgram(): Program {
    const program = [...listener.services.home.programs.values()].find((entry) => entry.kind === "program");
    if (program?.kind !== "program") throw new Error("The demo home has no program.");
    return program;
  }

  test("the whole tree has the root folder first and something in it", async () => {
    const { children: programs } = await listener.xml("/rest/programs?subfolders=true");
    expect(programs[0]?.attributes).toEqual({ id: "0001", status: expect.any(String), folder: "true" });
    expect(programs.length).toBe(listener.services.home.programs.size);
    expect(programs.length).toBeGreaterThan(1);
  });

  test("ids are four upper-case hex digits, only the root has no parent", async () => {
    const { children: programs } = await listener.xml("/rest/programs?subfolders=true");
    const ids = new Set(programs.map(({ attributes }) => attributes.id));
    for (const program of programs) {
      const { id, parentId, folder, status } = program.attributes;
      expect(id).toMatch(/^[0-9A-F]{4}$/);
      expect(parentId === undefined ? id : ids.has(parentId)).toBe(parentId === undefined ? "0001" : true);
      expect([folder, status].every((flag) => flag === "true" || flag === "false")).toBe(true);
      expect(names(program).slice(0, 3)).toEqual(["name", "lastRunTime", "lastFinishTime"]);
      const own = ["enabled", "runAtStartup", "running"].map((name) => name in program.attributes);
      expect(new Set(own)).toEqual(new Set([folder === "false"]));
    }
  });

  test("times are local, twelve hours, or empty", async () => {
    await listener.get(`/rest/programs/${hexId(someProgram().id)}/runElse`);
    const { children: programs } = await listener.xml("/rest/programs?subfolders=true");
    const times = programs.flatMap((program) => ["lastRunTime", "lastFinishTime"].map((name) => textOf(program, name)));
    const form = /^(\d{4}\/\d\d\/\d\d (0\d|1[0-2]):\d\d:\d\d (AM|PM))?$/;
    expect(times.every((time) => form.test(time))).toBe(true);
    expect(times.some((time) => time !== "")).toBe(true);
  });

  test("the root level shows what lies directly in the root, folderContents=false the folder alone", async () => {
    const level = (await listener.xml("/rest/programs")).children;
    expect(level.slice(1).every(({ attributes }) => attributes.parentId === "0001")).toBe(true);
    expect((await listener.xml("/rest/programs?folderContents=false")).children.length).toBe(1);
    expect((await listener.xml("/rest/programs/0001?subfolders=true")).children.length).toBe(
      listener.services.home.programs.size,
    );
  });

  test("a program accepts all nine verbs, and each is published", async () => {
    const { id } = someProgram();
    for (const verb of VERBS) {
      listener.changes();
      const answer = await listener.get(`/rest/programs/${hexId(id)}/${verb}`);
      expect([verb, answer.status]).toEqual([verb, 200]);
      const told = listener.changes().map(({ type }) => type);
      expect(told.some((type) => type === "program-ran" || type === "program-changed")).toBe(true);
    }
  });

  test("a folder takes run, stop, enable and disable and refuses the rest", async () => {
    for (const verb of VERBS) {
      const taken = ["run", "stop", "enable", "disable"].includes(verb);
      expect([verb, (await listener.get(`/rest/programs/0001/${verb}`)).status]).toEqual([verb, taken ? 200 : 400]);
    }
  });

  test("ids are matched without regard to case", async () => {
    const { id } = someProgram();
    const upper = await listener.get(`/rest/programs/${hexId(id)}`);
    expect((await listener.get(`/rest/programs/${hexId(id).toLowerCase()}`)).body).toBe(upper.body);
    expect(children(await listener.xml(`/rest/programs/${id.toString(16)}`), "program").length).toBe(1);
  });

  test("an unknown program is 404, an unknown verb too", async () => {
    expect((await listener.get("/rest/programs/FFFE")).body).toContain("PROGRAM_NOT_FOUND");
    expect((await listener.get("/rest/programs/FFFE/run")).status).toBe(404);
    expect((await listener.get("/rest/programs/zzz/run")).status).toBe(404);
    expect((await listener.get("/rest/programs/0001/dance")).body).toContain("PROGRAM_COMMAND_UNKNOWN");
  });
});
