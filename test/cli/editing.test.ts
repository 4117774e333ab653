/** Commands that edit the home: what they say, what is then there, and the way back. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

let line: CommandLine;

beforeAll(async () => {
  line = await CommandLine.start({ networkTargets: ["127.0.0.1"] });
});
afterAll(() => line[Symbol.asyncDispose]());

const home = () => line.controller.services.home;
const failure = (code: number, sentence: string) => ({ code, stdout: "", stderr: `domovoi: ${sentence}\n` });
const folderOf = (name: string) => [...home().folders.values()].find((folder) => folder.name === name);
const sceneOf = (name: string) => [...home().groups.values()].find((group) => group.name === name);

describe("a room", { timeout: 240_000 }, () => {
  test("is built from the command line", async () => {
    expect(await line.read("folder", "create", "Den")).toMatch(/^Created the folder "Den" \(\d+\) \(edit \d+\)\.\n$/);
    await line.read("folder", "create", "Lamps", "--in", "Den");
    await line.read("move", "Desk Lamp", "Den/Lamps");
    await line.read("rename", "Desk Lamp", "Writing Lamp");
    await line.read("scene", "create", "Reading", "--folder", "Den");
    await line.read("scene", "add", "Reading", "Writing Lamp", "--level", "60%", "--ramp", "2s");
    const scene = sceneOf("Reading");
    expect(scene?.parent?.address).toBe(folderOf("Den")?.address);
    expect(scene?.blocks[0]?.links[0]).toMatchObject({
      parameters: expect.arrayContaining([expect.objectContaining({ value: 60 })]),
    });
    await line.read("send", "Writing Lamp", "DON", "30%");
    expect(await line.read("scene", "capture", "Reading")).toBe(
      'Stored the present levels of the members in the scene "Reading".\n',
    );
    expect(JSON.stringify(sceneOf("Reading"))).toContain('"value":30');
    expect(await line.read("scene", "show", "Reading")).toMatch(
      /Writing Lamp +the scene is commanded +30%, ramp 2\.0 seconds\n/,
    );
    expect(await line.read("scene", "level", "Reading", "Writing Lamp", "--ramp", "5s")).toMatch(
      /^Changed the link of "Writing Lamp" in the scene "Reading" \(edit \d+\)\.\n$/,
    );
    expect(await line.read("scene", "show", "Reading")).toMatch(/30%, ramp 4\.5 seconds\n/);
    expect(await line.run(["scene", "level", "Reading", "Writing Lamp"])).toEqual(
      failure(2, "Give a --level, a --ramp or both."),
    );
    expect(await line.readJson("scene", "test", "Reading")).toEqual({ address: scene?.address });
  });

  test("gets a name that is used already with a warning, and then the name alone is refused", async () => {
    const before = sceneOf("Evening")?.address;
    const made = await line.read("scene", "create", "Evening");
    expect(made).toContain(`Others have this name, so use paths or addresses: Living Room/Evening (${before}).`);
    expect(await line.run(["delete", "scene", "Evening", "--yes"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"Evening" is 2 groups: '),
    });
    await line.read("delete", "scene", "/Evening", "--yes");
    expect(sceneOf("Evening")?.address).toBe(before);
  });

  test("has windows and doors by their use", async () => {
    const { name, address } = [...home().nodes.values()].find(({ role }) => role === "contact") ?? {
      name: "",
      address: "",
    };
    expect(await line.read("mark", name, "window")).toMatch(/ is used as window \(edit \d+\)\.\n$/);
    expect(home().nodes.get(address)?.use).toBe("window");
    expect((await line.run(["mark", name, "lamp"])).stderr).toContain("cannot be marked");
    expect((await line.run(["mark", name, "hatch"])).code).toBe(2);
    expect(await line.read("mark", name, "none")).toMatch(/ has no use now \(edit \d+\)\.\n$/);
    expect(home().nodes.get(address)?.use).toBeUndefined();
  });

  test("show names every parameter of a link in words", async () => {
    const shown = await line.read("scene", "show", "Evening");
    expect(shown).toContain("60%, ramp 0.5 seconds, cleanup ramp 0.5 seconds");
    expect(shown).not.toContain("CLNRT");
  });

  test("--controller alone makes a node control the scene", async () => {
    const { code, stderr } = await line.run(["scene", "add", "Reading", "Hall Motion", "--controller"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(sceneOf("Reading")?.members.find(({ isController }) => isController)).toBeDefined();
    expect(await line.read("scene", "show", "Reading")).toMatch(/Writing Lamp +"Hall Motion" is used +/);
    expect(await line.read("scene", "show", "Reading")).toMatch(/ no: These devices hold no links\.\n/);
    expect(await line.read("scene", "write", "Reading")).toBe(
      'The links of the scene "Reading" are written again. "domovoi scene show" shows the result.\n',
    );
    await line.read("scene", "remove", "Reading", "Hall Motion");
    expect(sceneOf("Reading")?.blocks).toHaveLength(1);
    expect(await line.run(["scene", "remove", "Reading", "Hall Motion"])).toEqual(
      failure(3, 'The scene "Reading" has no member "Hall Motion".'),
    );
  });

  test("is taken back step by step", async () => {
    const shown = await line.readJson<readonly { edit: number; title: string; by: string }[]>(
      "history",
      "--limit",
      "2",
    );
    expect(shown[0]).toMatchObject({ title: 'Remove "Hall Motion" from the scene "Reading"', by: expect.any(String) });
    expect(await line.read("undo")).toMatch(/^Undo: Remove "Hall Motion" from the scene "Reading" \(edit \d+\)\.\n$/);
    expect(sceneOf("Reading")?.members).toHaveLength(2);
    const renamed = (await line.readJson<readonly { edit: number; title: string }[]>("history")).find(({ title }) =>
      title.startsWith("Rename"),
    );
    expect(await line.read("history", String(renamed?.edit))).toContain('- name: "Desk Lamp"');
    await line.read("undo", String(renamed?.edit));
    expect((await line.run(["status", "Desk Lamp"])).code).toBe(0);
    expect(await line.run(["undo", "999999"])).toMatchObject({ code: 3 });
  });

  test("is removed with what is in it, or not at all", async () => {
    const ways = "--with-contents removes that too, --keep-contents moves it to where the folder is.";
    expect(await line.run(["folder", "delete", "Den"])).toEqual(
      failure(1, `The folder "Den" still holds "Reading". ${ways}`),
    );
    await line.read("folder", "delete", "Den", "--keep-contents");
    expect([folderOf("Den"), folderOf("Lamps")?.parent, sceneOf("Reading")?.parent]).toEqual([undefined, null, null]);
    await line.read("scene", "delete", "Reading");
    expect(sceneOf("Reading")).toBeUndefined();
  });
});

describe("other things", { timeout: 240_000 }, () => {
  test("variables, programs: create, copy, move, enable, delete", async () => {
    expect(
      await line.readJson("variable", "create", "Mood", "--type", "state", "--init", "2.5", "--precision", "1"),
    ).toMatchObject({
      name: "Mood",
      init: 2.5,
    });
    expect([...home().variables[2].values()].at(-1)).toMatchObject({ name: "Mood", init: 25, prec: 1 });
    const [latest] = await line.readJson<readonly { title: string }[]>("history", "--limit", "1");
    expect(latest?.title).toBe('Create the variable "Mood"');
    await line.read("copy", "variable", "Mood", "Mood Too");
    await line.read("folder", "create", "Mine", "--programs");
    expect(await line.read("copy", "program", "Hall Motion Light", "Stairs Light")).toBe(
      'Created the program "Stairs Light" as a copy of "Hall Motion Light". It is disabled; to enable it: domovoi enable program "Stairs Light"\n',
    );
    expect([...home().programs.values()].find(({ name }) => name === "Stairs Light")).toMatchObject({ enabled: false });
    await line.read("enable", "program", "Stairs Light");
    const twice = await line.run(["copy", "program", "Hall Motion Light", "Hall Motion Light"]);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining("Give the copy another name") });
    const sensor = await line.run(["scene", "add", "Evening", "Hall Motion"]);
    expect(sensor).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be a responder") });
    await line.read("move", "Stairs Light", "Mine");
    expect(await line.read("disable", "program", "Stairs Light")).toBe("Stairs Light is disabled.\n");
    const made = [...home().programs.values()].find(({ name }) => name === "Stairs Light");
    const folder = [...home().programs.values()].find(({ name }) => name === "Mine");
    expect(made).toMatchObject({ enabled: false, parentId: folder?.id });
    await line.read("delete", "program", "Stairs Light");
    await line.read("delete", "variable", "Mood Too");
    expect([...home().programs.values()].some(({ name }) => name === "Stairs Light")).toBe(false);
  });

  test("a thing in use is not removed unasked", async () => {
    const { code, stderr } = await line.run(["delete", "node", "Hall Ceiling"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^domovoi: The node "Hall Ceiling" .*run the command again with --yes\.\n$/),
    ]);
    expect(await line.read("uses", "node", "Hall Ceiling")).toContain("is named by the program");
    await line.read("delete", "node", "Hall Ceiling", "--yes");
    expect((await line.run(["status", "Hall Ceiling"])).code).toBe(3);
    await line.read("undo");
    expect((await line.run(["status", "Hall Ceiling"])).code).toBe(0);
  });

  test("a node is disabled with a reason", async () => {
    expect(await line.read("disable", "node", "Porch Light", "--reason", "broken")).toBe("Porch Light is disabled.\n");
    expect([...home().nodes.values()].find(({ name }) => name === "Porch Light")?.disabledBecause).toBe("broken");
    await line.read("enable", "node", "Porch Light");
    expect(await line.run(["enable", "lamp", "Porch Light"])).toEqual(
      failure(2, 'Only a node or a program can be enabled, not a "lamp".'),
    );
  });

  test("a target that is not allowed yet is reported when the resource is made, and can be allowed", async () => {
    const made = await line.read("resource", "create", "Bridge", "--url", "udp://169.254.7.1:9");
    expect(made).toContain("Its target is not allowed yet.");
    expect(await line.read("resource", "allow", "169.254.7.1:9")).toContain("may send requests to 169.254.7.1:9.");
    expect(await line.read("resource", "allow")).toBe("169.254.7.1:9\n");
    await line.read("resource", "disallow", "169.254.7.1:9");
    await line.read("delete", "resource", "Bridge");
  });

  test("a network resource shows its answer when it is tested", async () => {
    const server = createServer((request, response) => response.end(`you asked ${request.method}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await line.read("resource", "create", "Echo", "--url", url, "--header", "X-Key: 42", "--method", "post");
    expect(await line.read("resource", "test", "Echo")).toBe("Echo: HTTP 200.\n  you asked POST\n");
    server.close();
    server.closeAllConnections();
    expect(await line.run(["resource", "test", "Echo"])).toMatchObject({ code: 1 });
    await line.read("delete", "resource", "Echo");
  });

  test("the fields of a network resource are shown without secrets, and changed one by one", async () => {
    await line.read("resource", "create", "Bell", "--url", "http://chime.home.arpa/play?key=S3CRET", "--body", "ring");
    const shown = await line.read("resource", "show", "Bell");
    expect(shown).toContain(
      "URL      http://chime.home.arpa/play?key=…\nMethod   GET\nBody     4 bytes, not shown\nTimeout  10000 ms\n",
    );
    expect(shown).not.toContain("S3CRET");
    await line.read(
      "resource",
      "change",
      "Bell",
      "--method",
      "put",
      "--timeout",
      "2000",
      "--header",
      "Accept: text/plain",
    );
    expect(await line.readJson("resource", "show", "Bell")).toMatchObject({
      method: "PUT",
      timeoutMs: 2000,
      bodyBytes: 4,
      headers: [{ name: "Accept", value: "text/plain" }],
    });
    expect(await line.read("resource", "allow", "Bell")).toBe(
      "Network resources may send requests to chime.home.arpa.\n",
    );
    await line.read("resource", "disallow", "chime.home.arpa");
    expect(await line.run(["resource", "change", "Bell"])).toEqual(
      failure(2, "Say what changes: --url, --method, --header, --body or --timeout."),
    );
    await line.read("delete", "resource", "Bell");
  });

  test("the decimal places of a variable are changed, and its digits stay", async () => {
    await line.read("variable", "create", "Reading", "--type", "integer");
    await line.read("set", "Reading", "215");
    expect(await line.read("variable", "change", "Reading", "--precision", "1")).toBe('"Reading" is 21.5 now.\n');
    const variables = await line.readJson<{ name: string; value: number; prec: number }[]>("variables");
    expect(variables.find(({ name }) => name === "Reading")).toMatchObject({ value: 21.5, prec: 1 });
    await line.read("delete", "variable", "Reading");
  });

  test("the place is shown and changed", async () => {
    expect(
      await line.read("place", "--latitude", "40.7", "--longitude", "-74", "--zone", "America/New_York"),
    ).toContain("Time zone  America/New_York\n");
    expect(await line.readJson("place")).toMatchObject({ latitude: 40.7, longitude: -74 });
    expect(await line.run(["place", "--zone", "America/NewYork"])).toEqual(
      failure(1, 'There is no time zone "America/NewYork". Did you mean America/New_York?'),
    );
    expect(await line.run(["place", "--zone", "PST"])).toEqual(
      failure(1, 'There is no time zone "PST". Did you mean America/Los_Angeles?'),
    );
    expect(home().controller.timeZone).toBe("America/New_York");
    expect(await line.read("place", "--zone", "america/new_york")).toContain("Time zone  America/New_York\n");
  });

  test("a new device takes the place of another", async () => {
    const [lamp, spare] = [...home().nodes.values()].filter(
      ({ nodeDefId, primary, address, family }) =>
        nodeDefId === "DimmerLampSwitch_ADV" && primary === address && family === 1,
    );
    const said = await line.read("replace", lamp?.address ?? "", spare?.address ?? "", "--dry-run");
    expect(said).toContain("would take the place of");
    await line.read("replace", lamp?.address ?? "", spare?.address ?? "", "--force");
    expect(home().nodes.get(spare?.address ?? "")?.name).toBe(lamp?.name);
    await line.read("undo");
    expect(home().nodes.get(spare?.address ?? "")?.name).toBe(spare?.name);
  });
});
