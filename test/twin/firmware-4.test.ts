/** Homes of firmware before 5: no nodedefs, units in words, scene links of type 32. */

import { expect, test } from "vitest";
import { readXml } from "../support/read-xml.ts";
import { planOf, startTwin } from "../support/twin.ts";

const node = (address: string, type: string, properties: string) =>
  `<node flag="128"><address>${address}</address><name>${address}</name><type>${type}</type><enabled>true</enabled>` +
  `<pnode>${address.slice(0, -1)}1</pnode>${properties}</node>`;

const NODES = new Map([
  [
    "/rest/nodes",
    `<?xml version="1.0" encoding="UTF-8"?><nodes><root>Old</root>${[
      node("1C AB 43 1", "1.32.64.0", '<property id="ST" value="255" formatted="On" uom="%/on/off"/>'),
      node("1C AB 44 1", "2.42.64.0", '<property id="ST" value="0" formatted="Off" uom="on/off"/>'),
      node("1C AB 45 1", "1.66.64.0", '<property id="ST" value="0" formatted="Off" uom="%/on/off"/>'),
      node("1C AB 45 3", "1.66.64.0", '<property id="ST" value="0" formatted="Off" uom="%/on/off"/>'),
      node("1C AB 46 1", "5.11.14.0", '<property id="ST" value="143" formatted="71.50" uom="degrees"/>'),
      node("1C AB 46 2", "5.11.14.0", '<property id="ST" value="0" formatted="Off" uom="on/off"/>'),
      node("1C AB 47 1", "16.1.64.0", '<property id="ST" value="0" formatted="Off" uom="on/off"/>'),
    ].join("")}<group flag="132"><address>30001</address><name>Movie</name><members><link type="16">1C AB 44 1</link>` +
      '<link type="32">1C AB 43 1</link></members></group></nodes>',
  ],
  [
    "/rest/status",
    '<?xml version="1.0" encoding="UTF-8"?><nodes><node id="1C AB 43 1">' +
      '<property id="ST" value="255" formatted="On" uom="%/on/off"/><property id="OL" value="128" formatted="50%" uom="%/on/off"/>' +
      '<property id="RR" value="28" formatted="0.5 seconds" uom="seconds"/></node><node id="1C AB 46 1">' +
      '<property id="ST" value="143" formatted="71.50" uom="degrees"/><property id="CLISPH" value="138" formatted="69.00" uom="degrees"/>' +
      '<property id="CLIMD" value="1" formatted="Heat" uom="n/a"/><property id="CLIHUM" value="40" formatted="40" uom="%"/></node></nodes>',
  ],
]);

test("units in words become numbers, and the nodedef comes from the type", () => {
  const { changes } = planOf(NODES);
  const nodedefs = changes.flatMap((each) =>
    each.type === "node-added" ? [[each.node.address, each.node.nodeDefId]] : [],
  );
  expect(Object.fromEntries(nodedefs)).toEqual({
    "1C AB 43 1": "DimmerLampSwitch",
    "1C AB 44 1": "RelayLampSwitch",
    "1C AB 45 1": "KeypadDimmer",
    "1C AB 45 3": "KeypadButton",
    "1C AB 46 1": "Thermostat",
    "1C AB 46 2": "BinaryAlarm",
    "1C AB 47 1": "BinaryAlarm",
  });
  const units = changes.flatMap((each) =>
    each.type === "property-changed" ? [[`${each.address} ${each.property.id}`, each.property.uom]] : [],
  );
  expect(Object.fromEntries(units)).toMatchObject({
    "1C AB 43 1 ST": 100,
    "1C AB 43 1 OL": 100,
    "1C AB 43 1 RR": 25,
    "1C AB 44 1 ST": 100,
    "1C AB 46 1 ST": 101,
    "1C AB 46 1 CLISPH": 101,
    "1C AB 46 1 CLIMD": 98,
    "1C AB 46 1 CLIHUM": 22,
    "1C AB 46 2 ST": 100,
  });
});

test("its devices take bytes and half degrees, and a link of type 32 is a responder's", async () => {
  await using running = await startTwin(NODES);
  const { twin } = running;
  const value = async (address: string, id: string) => {
    const document = readXml((await twin.portal.get(`/rest/status/${encodeURIComponent(address)}`)).text);
    return document.children.find(({ attributes }) => attributes.id === id)?.attributes.value;
  };
  for (const [path, address, id, expected] of [
    ["1C%20AB%2043%201/cmd/DON/128", "1C AB 43 1", "ST", 128],
    ["1C%20AB%2046%201/cmd/CLISPH/140", "1C AB 46 1", "CLISPH", 140],
    ["30001/cmd/DOF", "1C AB 43 1", "ST", 0],
  ] as const) {
    expect((await twin.portal.get(`/rest/nodes/${path}`)).status).toBe(200);
    await twin.clock.advance(60_000);
    expect([path, await value(address, id)]).toEqual([path, String(expected)]);
  }
});
