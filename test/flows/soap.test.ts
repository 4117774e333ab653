/** `/services` from outside: what old clients read and write, in all their spellings, and what they are told when it fails. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";
import type { FrameStream } from "../support/frame-stream.ts";
import { ENVELOPES, envelope, outcomeOf, type Soap, soapClient } from "../support/soap.ts";

let controller: TestController;
let soap: Soap;
let stream: FrameStream;

beforeAll(async () => {
  controller = await startTestController({ virtualLatencyMs: 0 });
  soap = soapClient(controller.local, { ...controller.basic(), "Content-Type": "text/xml" });
  stream = await controller.subscribe("rest");
});
afterAll(() => controller.stop());

const home = () => controller.services.home;

async function succeeds(name: string, inner: string): Promise<void> {
  const answer = await soap(name, inner);
  expect([name, answer.status, outcomeOf(answer)]).toEqual([name, 200, { status: 200, info: "" }]);
}

async function fails(name: string, inner: string): Promise<readonly [number, number | undefined]> {
  const answer = await soap(name, inner);
  return [answer.status, outcomeOf(answer)?.status];
}

describe("/services", () => {
  test("reads every spelling of an envelope that clients are known to send", async () => {
    for (const spelling of Object.keys(ENVELOPES)) {
      const answer = await soap("GetSystemTime", "", spelling);
      expect([spelling, answer.status]).toEqual([spelling, 200]);
      expect(answer.text).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?><s:Envelope xmlns:s="[^"]+\/2003\/05\/soap-envelope"><s:Body><DT><NTP>/,
      );
    }
  });

  test("answers documents of /rest in an envelope", async () => {
    const rows = { GetNodesConfig: "/rest/nodes", GetISYConfig: "/rest/config", GetSystemOptions: "/rest/sys" };
    for (const [name, path] of Object.entries(rows)) {
      const [, document] = /^<\?xml[^>]*\?>([\s\S]+)$/.exec((await controller.local.get(path)).text) ?? [];
      expect((await soap(name)).text).toContain(`<s:Body>${document}</s:Body>`);
    }
    expect((await soap("GetSystemStatus")).text).toContain("<SysStat><Stat>10</Stat></SysStat>");
  });

  test("repeats a failure in the status line, so that no client takes it for a success", async () => {
    const rows: readonly (readonly [name: string, inner: string, http: number, status: number])[] = [
      ["Frobnicate", "", 501, 602],
      ["Reboot", "", 501, 602],
      ["SetUserCredentials", "<name>x</name>", 403, 403],
      ["ReplaceModem", "", 403, 403],
      ["DeviceSpecific", "<command>DB</command><node>1A 2B 3C 1</node>", 403, 403],
      ["RenameNode", "<id>99 99 99 1</id><name>x</name>", 404, 404],
      ["RenameNode", "<id>1A 2B 3C 1</id>", 400, 402],
      ["AddGroup", "<id>31001</id><name>Again</name>", 409, 409],
      ["AddGroup", "<id>0</id><name>Nothing</name>", 400, 402],
      ["MoveNode", "<node>1A 2B 3C 1</node><group>39999</group><flag>0</flag>", 404, 404],
      [
        "DeviceSpecific",
        "<command>S_OL_SP</command><node>1A 2B 3C 1</node><scene>31001</scene><value>256</value>",
        400,
        402,
      ],
      ["UDIService", "<control>XYZ</control><action></action><node>1A 2B 3C 1</node>", 404, 404],
      ["SetVariable", "<type>3</type><id>1</id><val>1</val>", 404, 404],
    ];
    const before = home().edits.size;
    for (const [name, inner, http, status] of rows)
      expect([name, inner, await fails(name, inner)]).toEqual([name, inner, [http, status]]);
    expect(home().edits.size).toBe(before);
  });

  test("refuses what is no envelope, declarations, and other encodings, and changes nothing", async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    const rename = "<u:RenameNode><id>1A 2B 3C 1</id><name>&b;</name></u:RenameNode>";
    const bodies: readonly (string | Buffer)[] = [
      "",
      "{}",
      "<s:Envelope><s:Body></s:Body></s:Envelope>",
      "<s:Envelope><s:Body><u:RenameNode></s:Body></s:Envelope>",
      `${bomb}<s:Envelope><s:Body>${rename}</s:Body></s:Envelope>`,
      `<s:Envelope><s:Body>${bomb}${rename}</s:Body></s:Envelope>`,
      `<s:Envelope><s:Body>${"<a>".repeat(300)}${"</a>".repeat(300)}</s:Body></s:Envelope>`,
      Buffer.from(`<s:Envelope><s:Body>${rename}</s:Body></s:Envelope>`, "utf16le"),
      Buffer.from(
        "<s:Envelope><s:Body><u:RenameNode><id>1A 2B 3C 1</id><name>K\xfcche</name></u:RenameNode></s:Body></s:Envelope>",
        "latin1",
      ),
    ];
    for (const body of bodies) {
      const answer = await controller.local.request("POST", "/services", { headers: controller.basic(), body });
      expect([String(body).slice(0, 40), answer.status, outcomeOf(answer)?.status]).toEqual([
        String(body).slice(0, 40),
        400,
        402,
      ]);
    }
    const tooLong = { headers: controller.basic(), body: envelope("RenameNode", `<name>${"x".repeat(17_000)}</name>`) };
    expect((await controller.local.request("POST", "/services", tooLong)).status).toBe(413);
    expect(home().nodes.get("1A 2B 3C 1")?.name).toBe("Hall Ceiling");
  });

  test("asks strangers for basic credentials before it reads their body", async () => {
    const answer = await controller.portal.request("POST", "/services", { headers: {}, body: "<" });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="/"');
    expect(outcomeOf(answer)?.status).toBe(401);
  });
});

describe("the tree by SOAP", () => {
  test("things get new names, by every spelling of the elements", async () => {
    await succeeds("RenameNode", "<id>1A 2B 3C 1</id><name>Hall &amp; Stairs</name>");
    expect(home().nodes.get("1A 2B 3C 1")?.name).toBe("Hall & Stairs");
    await succeeds("RenameGroup", "<name>31002</name><newName>Late</newName>");
    expect(home().groups.get("31002")?.name).toBe("Late");
    await succeeds("RenameGroup", "<id>31002</id><name>Evening</name>");
    expect(home().groups.get("31002")?.name).toBe("Evening");
    await succeeds("RenameFolder", "<id>11001</id><name>Entrance</name>");
    expect(home().folders.get("11001")?.name).toBe("Entrance");
    await stream.next(({ text }) => text.includes("<action>NN</action>") && text.includes("Hall &amp; Stairs"));
  });

  test("a folder gets the number that its client has chosen, things move into it, and it goes without them", async () => {
    await succeeds("AddFolder", "<id>50001</id><name>Cellar</name>");
    await succeeds(
      "SetParent",
      "<node>1A 2B 3C 1</node><nodeType>1</nodeType><parent>50001</parent><parentType>3</parentType>",
    );
    expect(home().nodes.get("1A 2B 3C 1")?.parent).toEqual({ kind: "folder", address: "50001" });
    await succeeds(
      "SetParent",
      "<node>31002</node><nodeType>2</nodeType><parent>50001</parent><parentType>3</parentType>",
    );
    expect(home().groups.get("31002")?.parent).toEqual({ kind: "folder", address: "50001" });
    await succeeds("SetParent", "<node>31002</node><nodeType>2</nodeType><parent></parent><parentType>0</parentType>");
    expect(home().groups.get("31002")?.parent).toBe(null);
    await succeeds("RemoveFolder", "<id>50001</id>");
    expect(home().folders.has("50001")).toBe(false);
    expect(home().nodes.has("1A 2B 3C 1")).toBe(true);
    expect(await fails("AddFolder", "<id>50001</id><name>Again</name>")).toEqual([409, 409]);
    await succeeds("AddFolder", "<fid>1234</fid><name>Any number</name>");
    expect([...home().folders.values()].some(({ name, address }) => name === "Any number" && address !== "1234")).toBe(
      true,
    );
  });

  test("a node is disabled, enabled and removed", async () => {
    await succeeds("SetNodeEnabled", "<node>3B 9 12 1</node><flag>0</flag>");
    expect(home().nodes.get("3B 9 12 1")?.enabled).toBe(false);
    await succeeds("SetNodeEnabled", "<node>3B 9 12 1</node><flag>1</flag>");
    expect(home().nodes.get("3B 9 12 1")?.enabled).toBe(true);
    await succeeds("RemoveNode", "<node>3B 9 12 1</node>");
    expect(home().nodes.has("3B 9 12 1")).toBe(false);
    expect(await fails("RemoveNode", "<id>3B 9 12 1</id>")).toEqual([404, 404]);
  });

  test("commands mean what they mean in the path of /rest", async () => {
    await succeeds("UDIService", "<control>DON</control><action>117</action><flag>65531</flag><node>1A 2B 3C 1</node>");
    expect(home().nodes.get("1A 2B 3C 1")?.properties.get("ST")?.value).toBe(117);
    await succeeds(
      "UDIService",
      '<control>DON</control><action UOM="51">50</action><flag>1</flag><node>1A 2B 3C 1</node>',
    );
    expect(home().nodes.get("1A 2B 3C 1")?.properties.get("ST")?.value).toBe(128);
    await succeeds("UDIService", "<control>DOF</control><action></action><flag>4</flag><node>31001</node>");
    expect(home().nodes.get("1A 2B 3C 1")?.properties.get("ST")?.value).toBe(0);
    await succeeds("QueryAll", "");
    await succeeds("QueryAll", "<node>1A 2B 3C 1</node><flag>1</flag>");
    await succeeds("WriteDeviceUpdates", "<node>1A 2B 3C 1</node>");
  });
});

describe("scenes by SOAP", () => {
  test("a scene is made with a number of its client, gets members, levels and ramps, and goes", async () => {
    await succeeds("AddGroup", "<id>30001</id><name>Reading</name><flag>16</flag>");
    await succeeds("MoveNode", "<id>1E 4 A0 1</id><name>30001</name><flag>16</flag>");
    await succeeds("MoveNode", "<node>1A 2B 3C 1</node><group>30001</group><flag>32</flag>");
    expect(home().groups.get("30001")?.members).toEqual([
      { address: "1E 4 A0 1", isController: true },
      { address: "1A 2B 3C 1", isController: false },
    ]);
    const member = "<node>1A 2B 3C 1</node><scene>30001</scene><flag>1</flag>";
    await succeeds("DeviceSpecific", `<command>S_OL_SP</command>${member}<value>128</value>`);
    await succeeds("DeviceSpecific", `<command>S_RR_SP</command>${member}<value>20</value>`);
    const shown = await soap("DeviceSpecific", "<command>G_SP</command><scene>30001</scene>");
    expect(shown.text).toContain("<SP><node>1A 2B 3C 1</node><OL>128</OL><RR>20</RR></SP>");
    const profile = "<node>1A 2B 3C 1</node><controller>30001</controller>";
    await succeeds("SetSceneProfile", `${profile}<control>OL</control><action>0</action>`);
    const profilesOf = async (node: string) =>
      (await soap("GetSceneProfiles", `<node>${node}</node><controller>30001</controller>`)).text;
    expect(await profilesOf("none")).toContain("<SP><node>1A 2B 3C 1</node><OL>0</OL><RR>20</RR></SP></SceneProfiles>");
    expect(await profilesOf("1E 4 A0 1")).toContain("<SP><node>1A 2B 3C 1</node><OL>255</OL>");
    await succeeds("RemoveFromGroup", "<id>1A 2B 3C 1</id><name>30001</name>");
    expect(home().groups.get("30001")?.members.length).toBe(1);
    await succeeds("RemoveGroup", "<id>30001</id>");
    expect(home().groups.has("30001")).toBe(false);
    expect(await fails("AddGroup", "<id>30001</id><name>Again</name>")).toEqual([409, 409]);
  });

  test("every raw level is kept within one step", async () => {
    await succeeds("AddGroup", "<id>30002</id><name>Levels</name>");
    await succeeds("MoveNode", "<node>1A 2B 3C 1</node><group>30002</group><flag>0</flag>");
    for (let level = 0; level <= 255; level += 5) {
      await succeeds(
        "DeviceSpecific",
        `<command>S_OL_SP</command><node>1A 2B 3C 1</node><scene>30002</scene><value>${level}</value>`,
      );
      const { text } = await soap("DeviceSpecific", "<command>G_SP</command><scene>30002</scene>");
      expect(Math.abs(Number(/<OL>(\d+)</.exec(text)?.[1]) - level)).toBeLessThanOrEqual(1);
    }
  });
});

describe("the rest by SOAP", () => {
  test("variables are read and written", async () => {
    const [id, { prec }] = [...home().variables[1]][0] ?? [0, { prec: 0 }];
    await succeeds("SetVariable", `<type>1</type><id>${id}</id><val>42</val>`);
    expect(home().variables[1].get(id)?.value).toBe(42);
    expect((await soap("GetVariable", `<type>1</type><id>${id}</id>`)).text).toContain(
      `<prec>${prec}</prec><val>42</val>`,
    );
    expect((await soap("GetVariables", "<type>1</type>")).text).toContain("<s:Body><vars><var ");
  });

  test("switches of the controller are set; what clients only say at their login is accepted", async () => {
    await succeeds("SetBatchMode", "<flag>1</flag>");
    expect(home().controller.batchMode).toBe(true);
    await succeeds("SetBatteryDeviceWriteMode", "<flag>0</flag>");
    expect(home().controller.batteryWrites).toBe(false);
    expect((await soap("GetDebugLevel", "")).text).toContain("<DBG><current>1</current></DBG>");
    await succeeds("SetDebugLevel", "<option>3</option>");
    expect((await soap("GetDebugLevel", "")).text).toContain("<DBG><current>3</current></DBG>");
    expect(await fails("SetDebugLevel", "<option>4</option>")).toEqual([400, 402]);
    await succeeds("ClearLastError", "");
    await succeeds("Authenticate", "<name>admin</name><id>x</id>");
  });
});

describe("linking by SOAP", () => {
  test("is the operation of the Insteon integration; without a modem it is not available", async () => {
    expect(await fails("DiscoverNodes", "")).toEqual([501, 602]);
    expect(await fails("SetDeviceLinkMode", "<flag>32</flag>")).toEqual([501, 602]);
    await using other = await startTestController({ demoInsteon: true });
    const ask = soapClient(other.local, other.basic());
    expect((await ask("CancelNodesDiscovery", "<flag>1</flag>")).status).toBe(501);
    const info = await ask(
      "DeviceSpecific",
      "<command>G_PLM_INFO</command><node></node><option></option><flag>1</flag><CDATA></CDATA>",
    );
    expect(info.text).toMatch(/^[0-9A-F]{2}\.[0-9A-F]{2}\.[0-9A-F]{2} \/ Connected$/);
    const asCommand = await ask("DeviceSpecific", "<command>GetNodesConfig</command>");
    expect(asCommand.text).toContain("<s:Body><nodes>");
    expect((await ask("DeviceSpecific", "<command>G_PLM_ALL</command>")).status).toBe(501);
    const cancels = async () => {
      expect((await ask("CancelNodesDiscovery")).status).toBe(200);
      while ((await ask("CancelNodesDiscovery")).status === 200) await other.clock.advance(1000);
    };
    // Its clients tell their users to press the button.
    expect((await ask("SetDeviceLinkMode", "<flag>32</flag>")).status).toBe(200);
    expect((await ask("SetDeviceLinkMode", "<flag>16</flag>")).status).toBe(200);
    await cancels();
    expect((await ask("DiscoverNodes")).status).toBe(200);
    const busy = await ask("DiscoverNodes", "<type>1</type>");
    expect([busy.status, outcomeOf(busy)?.status]).toEqual([803, 803]);
    await cancels();
    expect((await ask("AddNode", "<id>1A 2B 3C</id><name>x</name><family>4</family>")).status).toBe(501);
    expect((await ask("AddNode", "<id>kitchen</id><name>x</name><family>1</family>")).status).toBe(400);
    expect(
      (await ask("AddNode", "<id>1A 2B 3C 1</id><name>x</name><ntype>1</ntype><family>1</family><flag>0</flag>"))
        .status,
    ).toBe(200);
    expect((await ask("CancelNodesDiscovery")).status).toBe(200);
  });
});
