/** Every SOAP operation × stranger, guest, user, owner, limited account. Who may do what is written out here, apart from the policy. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soapOperations } from "../../src/http/soap/soap-routes.ts";
import { addAccounts } from "../support/accounts.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import { outcomeOf, type Soap, soapClient } from "../support/soap.ts";

/** Operations that a guest may use; the account with limits those of them that are about what it reaches. */
const GUEST =
  "GetNodesConfig GetNodeInfo UDIService QueryAll DeviceSpecific:G_SP GetSceneProfiles GetISYConfig GetSystemOptions GetSystemTime " +
  "GetSystemDateTime GetSystemStatus GetDebugLevel GetLastError SetDebugLevel ClearLastError Authenticate SendHeartbeat GetVariables " +
  "GetVariable GetAllD2D Subscribe Unsubscribe IsSubscribed";
const USER = "SetVariable D2DCommand";
const OWNER =
  "RenameNode RenameGroup RenameFolder SetParent AddFolder RemoveFolder RemoveNode SetNodeEnabled WriteDeviceUpdates QueryConfigParam " +
  "SetConfigParam AddGroup RemoveGroup MoveNode RemoveFromGroup DeviceSpecific:S_OL_SP DeviceSpecific:S_RR_SP SetSceneProfile " +
  "SetBatchMode SetBatteryDeviceWriteMode DiscoverNodes StartNodesDiscovery CancelNodesDiscovery AddNode " +
  "SetDeviceLinkMode SetDeviceLinkingMode DeviceSpecific:G_PLM_INFO";
const NO_ACCOUNT =
  "SetUserCredentials ReplaceModem RemoveModem FactoryResetDongle UnprotectNetworkKey DeviceSpecific:DB";
/** Of those that act, the ones that an account with limits may use at things that it reaches. */
const LIMITED = new Set(`${GUEST} ${USER}`.split(" "));
const LOWEST = new Map(
  [GUEST, USER, OWNER, NO_ACCOUNT].flatMap((names, rank) => names.split(" ").map((name) => [name, rank] as const)),
);

const ROLES = ["guest", "user", "owner"] as const;
const PASSWORD = "a password for everybody";
const basic = (login: string) => ({
  Authorization: `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString("base64")}`,
});

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController({ virtualLatencyMs: 0 });
  await addAccounts(
    controller,
    ROLES.map((role) => ({ kind: "local", login: `a-${role}`, password: PASSWORD, role })),
  );
  await controller.login();
  const limits = { nodes: ["1A 2B 3C 1"], scenes: ["31001"], folders: [], programs: [], variables: [], resources: [] };
  const body = { kind: "local", login: "a-lodger", password: PASSWORD, role: "user", limits };
  const answer = await controller.portal.post("/api/accounts", body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
});
afterAll(() => controller[Symbol.asyncDispose]());

const names = soapOperations.flatMap((row) => row.names.map((name) => ({ name, row })));

/** The same text in every element, under every spelling. */
function ask(soap: Soap, { name, row }: (typeof names)[number], text: string) {
  const [operation = "", command] = name.split(":");
  const tags = [...new Set(Object.values(row.elements).flat())];
  const inner = tags.map((tag) => `<${tag}>${text}</${tag}>`).join("");
  return soap(operation, `${command ? `<command>${command}</command>` : ""}${inner}`);
}

describe("SOAP and roles", () => {
  test("each command to a program needs its own right", async () => {
    const rows = {
      "<stop />": 1,
      "<runthen />": 1,
      "<enable />": 2,
      "<notRunAtReboot />": 2,
      "<setKey>1.1</setKey>": 2,
      "<broadcast />": 2,
    };
    for (const [command, lowest] of Object.entries(rows)) {
      for (const [rank, role] of ROLES.entries()) {
        const answer = await soapClient(controller.local, basic(`a-${role}`))(
          "D2DCommand",
          `<id>2</id><CDATA><cmd>${command}</cmd></CDATA>`,
        );
        expect([command, role, answer.status]).toEqual([command, role, rank < lowest ? 403 : 200]);
      }
    }
  });

  test("every operation stands in the table of this test", () => {
    expect(names.map(({ name }) => name).sort()).toEqual([...LOWEST.keys()].sort());
  });

  test("each operation is for the accounts of its role and above, at both listeners; strangers do not even learn which there are", async () => {
    for (const listener of ["local", "portal"] as const) {
      for (const each of names) {
        const lowest = LOWEST.get(each.name) ?? 0;
        for (const [rank, role] of ROLES.entries()) {
          const { status } = await ask(soapClient(controller[listener], basic(`a-${role}`)), each, "x");
          expect([each.name, role, status === 403]).toEqual([each.name, role, rank < lowest]);
          expect([each.name, role, [401, 500, 503].includes(status) ? status : 0]).toEqual([each.name, role, 0]);
        }
        expect([each.name, (await ask(soapClient(controller[listener], {}), each, "x")).status]).toEqual([
          each.name,
          401,
        ]);
      }
      expect((await soapClient(controller[listener], {})("Nonsense")).status).toBe(401);
    }
  });

  test("an account with limits gets its part, and no other answer about another thing than about one that is not there", async () => {
    const soap = soapClient(controller.local, basic("a-lodger"));
    for (const each of names) {
      const [own, other, absent] = [
        await ask(soap, each, "1A 2B 3C 1"),
        await ask(soap, each, "ZW002_1"),
        await ask(soap, each, "ZW999_1"),
      ];
      expect([each.name, own.status === 403]).toEqual([each.name, !LIMITED.has(each.name)]);
      expect([each.name, other.status, other.text]).toEqual([each.name, absent.status, absent.text]);
      expect(other.text).not.toContain("ZW002_1");
    }
    expect((await soap("GetNodesConfig")).text.match(/<address>[^<]*/g)?.sort()).toEqual(
      ["<address>1A 2B 3C 1", "<address>31001", `<address>${controller.services.home.controller.uuid}`].sort(),
    );
    const command = (node: string) => soap("UDIService", `<node>${node}</node><control>DON</control><action></action>`);
    expect((await command("1A 2B 3C 1")).status).toBe(200);
    expect(outcomeOf(await command("ZW002_1"))).toEqual(outcomeOf(await command("ZW999_1")));
    expect((await soap("DeviceSpecific", "<command>G_SP</command><scene>31005</scene>")).status).toBe(404);
    expect((await soap("GetAllD2D")).text).toContain("<triggers></triggers>");
    const run = (id: number) => soap("D2DCommand", `<id>${id}</id><CDATA><cmd><runif /></cmd></CDATA>`);
    expect([(await run(0)).status, (await run(2)).status, (await run(999)).status]).toEqual([404, 404, 404]);
  });
});
