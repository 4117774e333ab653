/** A twin serves the documents that it was made from: every field of saved homes, in the spelling in which it was saved. */

import { connect } from "@domovoi/client";
import { describe, expect, test } from "vitest";
import { compareJson, compareXml, withoutRoles } from "../support/compare-documents.ts";
import { OWNER, type TestController } from "../support/controller.ts";
import { HOME_NAMES, type HomeName, savedFiles, startTwinOf } from "../support/twin.ts";

/** Where each saved file is served. */
const PATHS: Readonly<Record<string, string>> = {
  "api-config.json": "/api/config",
  "api-nodes.json": "/api/nodes",
  "api-groups.json": "/api/groups",
  "api-programs.json": "/api/programs",
  "api-triggers.json": "/api/triggers",
  "api-variables-1.json": "/api/variables/1",
  "api-variables-2.json": "/api/variables/2",
  "profiles.json": "/rest/profiles?include=nodedefs,editors,linkdefs",
  "status.xml": "/rest/status",
  "rest-nodes.xml": "/rest/nodes",
  "networking-resources.xml": "/rest/networking/resources",
  "radio-nodedefs.xml": "/rest/zwave/node/0/def/get",
  "radio-nodedefs-14.xml": "/rest/zmatter/zigbee/node/0/def/get",
  "nls--1-1.txt": "/rest/profiles/family/-1/profile/1/download/nls/en_US.txt",
  "nls-4-1.txt": "/rest/profiles/family/4/profile/1/download/nls/en_US.txt",
};

/** A bare ampersand is repaired like in clients; a document that cannot be repaired is empty. */
const REPAIRED: Readonly<Record<string, (text: string) => string>> = {
  "plugins networking-resources.xml": (text) => text.replaceAll(/&(?!amp;)/g, "&amp;"),
  "sparse networking-resources.xml": () => "<NetConfig></NetConfig>",
};

/** The controller's clock is its own. */
const NOT_SERVED: ReadonlySet<string> = new Set(["rest-time.xml"]);

const same = (given: string, served: string): readonly string[] => (given === served ? [] : ["another text"]);
const COMPARE: Readonly<Record<string, typeof same>> = { json: compareJson, xml: compareXml, txt: same };

async function differences(name: HomeName, twin: TestController): Promise<readonly string[]> {
  const files = [...savedFiles(name)].filter(([file]) => !NOT_SERVED.has(file));
  const found = await Promise.all(
    files.map(async ([file, text]) => {
      const answer = await twin.portal.get(PATHS[file] ?? "");
      const given = REPAIRED[`${name} ${file}`]?.(text) ?? text;
      const lines = COMPARE[file.split(".")[1] ?? ""]?.(given, withoutRoles(answer.text)) ?? ["not compared"];
      return lines.map((line) => `${file}${line}`);
    }),
  );
  return found.flat();
}

describe.each(HOME_NAMES)("the saved home %s", { timeout: 30_000 }, (name) => {
  test("is served as it was saved, at once and after a restart", async () => {
    await using running = await startTwinOf(name);
    const { twin } = running;
    expect(await differences(name, twin)).toEqual([]);
    await twin.restart();
    await twin.login();
    expect(await differences(name, twin)).toEqual([]);
  });
});

/** How many nodes, scenes, programs and variables a client finds; programs without their folders. */
const LOADED: readonly (readonly [HomeName, readonly number[]])[] = [
  ["wired", [10, 3, 4, 4]],
  ["radio", [8, 1, 0, 0]],
  ["plugins", [8, 0, 2, 2]],
  ["sparse", [3, 1, 0, 0]],
];

test.each(LOADED)("a client loads the twin of %s without a problem", { timeout: 30_000 }, async (name, counts) => {
  await using running = await startTwinOf(name);
  const { url } = running.twin.portal;
  const account = { user: OWNER.username, password: OWNER.password, insecure: true, stream: "off" as const };
  await using home = await connect({ url, ...account });
  const programs = [...home.programs].filter(({ isFolder }) => !isFolder);
  expect([home.nodes.size, home.groups.size, programs.length, home.variables.size]).toEqual(counts);
  expect(home.problems).toEqual([]);
});
