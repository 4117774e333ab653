/** Documents of a small home, as a controller of the field writes them: two lamps, a scene, a radio dimmer, a plugin's node. */

export const PROFILE = {
  timestamp: "2031-02-03T04:05:06.123456-07:00",
  families: [
    {
      id: "common",
      name: "Common",
      instances: [
        {
          id: "1",
          name: "",
          editors: [{ id: "BOOL", ranges: [{ uom: "2", subset: "0,1", names: { 0: "False", 1: "True" } }] }],
        },
      ],
    },
    {
      id: "1",
      name: "",
      instances: [
        {
          id: "1",
          name: "",
          editors: [
            { id: "I_OL", ranges: [{ uom: "51", min: 0, max: 100, names: { 0: "Off" } }] },
            { id: "I_RR", ranges: [{ uom: "25", subset: "0-31", names: { 28: "0.5 seconds", 31: "0.1 seconds" } }] },
            { id: "I_RELAY", ranges: [{ uom: "51", subset: "0,100", names: { 0: "Off", 100: "On" } }] },
          ],
          linkdefs: [],
          nodedefs: [
            {
              id: "Dimmer",
              properties: [
                { id: "ST", editor: "I_OL", name: "Status" },
                { id: "RR", editor: "I_RR", name: "Ramp Rate" },
              ],
              cmds: {
                sends: [{ id: "DON", native: "false", name: "On" }],
                accepts: [
                  { id: "DON", native: "false", name: "On", parameters: [{ id: "", editor: "I_OL", optional: true }] },
                  { id: "DOF", native: "false", name: "Off" },
                  {
                    id: "RR",
                    native: "false",
                    name: "Ramp Rate",
                    parameters: [{ id: "", editor: "I_RR", init: "RR" }],
                  },
                ],
              },
              links: { ctl: [], rsp: [] },
            },
            {
              id: "Relay",
              properties: [{ id: "ST", editor: "I_RELAY", name: "Status" }],
              cmds: {
                sends: [],
                accepts: [
                  { id: "DON", native: "false", name: "On" },
                  { id: "DOF", native: "false", name: "Off" },
                ],
              },
              links: { ctl: [], rsp: [] },
            },
          ],
        },
      ],
    },
    {
      id: "4",
      name: "",
      instances: [
        {
          id: "1",
          name: "",
          editors: [{ id: "ZW_RR", ranges: [{ uom: "58", min: 0, max: 127 }] }],
          linkdefs: [],
          nodedefs: [],
        },
      ],
    },
    {
      id: "10",
      name: "",
      instances: [
        {
          id: "7",
          name: "",
          editors: [{ id: "TEMP", ranges: [{ uom: "17", min: -40, max: 120, prec: 1 }] }],
          linkdefs: [],
          nodedefs: [
            {
              id: "meter",
              properties: [{ id: "GV0", editor: "TEMP", name: "Temperature" }],
              cmds: {
                sends: [],
                accepts: [{ id: "SETT", native: "false", name: "Set", parameters: [{ id: "", editor: "TEMP" }] }],
              },
              links: { ctl: [], rsp: [] },
            },
          ],
        },
      ],
    },
  ],
};

const POWER = { deviceClass: "0", wattage: "0", dcPeriod: "0", startDelay: "0", endDelay: "0" };

export const NODES = {
  nodes: {
    node: [
      {
        flag: "128",
        nodeDefId: "Dimmer",
        address: "5C 2 D1 1",
        name: "Porch Lantern",
        hint: "0.0.0.0",
        parent: { _: "31200", type: "3" },
        type: "1.32.69.0",
        enabled: "true",
        ...POWER,
        pnode: "5C 2 D1 1",
        property: [{ id: "ST", value: "127", formatted: "50%", uom: "100", name: "" }],
        nodeType: "node",
      },
      {
        flag: "128",
        nodeDefId: "Relay",
        address: "61 9 B 1",
        name: "Shed",
        hint: "0.0.0.0",
        type: "2.42.69.0",
        enabled: "false",
        ...POWER,
        pnode: "61 9 B 1",
        property: [{ id: "ST", value: "", formatted: " ", uom: "0" }],
        nodeType: "node",
      },
      {
        flag: "128",
        nodeDefId: "UZW01A2",
        address: "ZW002_1",
        name: "Stairs",
        family: "4",
        type: "4.17.1.0",
        enabled: "true",
        ...POWER,
        pnode: "ZW002_1",
        property: [{ id: "ST", value: "40", formatted: "40%", uom: "51", name: "Level" }],
        devtype: { gen: "4.17.1", mfg: "99.3.7", cat: "109" },
        nodeType: "node",
      },
      {
        flag: "0",
        nodeDefId: "meter",
        address: "n007_meter",
        name: "Greenhouse",
        family: { _: "10", instance: "7" },
        type: "1.2.3.4",
        enabled: "true",
        ...POWER,
        pnode: "n007_meter",
        property: [],
        nodeType: "node",
      },
    ],
    folder: [
      { flag: "0", address: "31200", name: "Garden", family: "13", hint: "0.0.0.0", nodeType: "folder" },
      {
        flag: "0",
        address: "31201",
        name: "Beds",
        family: "13",
        hint: "0.0.0.0",
        parent: { _: "31200", type: "3" },
        nodeType: "folder",
      },
    ],
    group: [
      {
        flag: "12",
        address: "00:aa:bb:cc:dd:ee",
        name: "Our Services",
        family: "6",
        hint: "0.0.0.0",
        members: { link: [{ _: "5C 2 D1 1", type: "0" }] },
        nodeType: "group",
      },
      {
        flag: "132",
        nodeDefId: "InsteonDimmer",
        address: "31777",
        name: "Evening",
        family: "6",
        hint: "0.0.0.0",
        parent: { _: "31201", type: "3" },
        deviceGroup: "44",
        pnode: "31777",
        members: {
          link: [
            { _: "61 9 B 1", type: "16" },
            { _: "5C 2 D1 1", type: "0" },
          ],
        },
        nodeType: "group",
      },
    ],
  },
};

export const STATUS =
  '<?xml version="1.0" encoding="UTF-8"?><nodes>' +
  '<node id="5C 2 D1 1"><property id="RR" value="28" formatted="0.5 seconds" uom="25" name="Ramp Rate" />' +
  '<property id="ST" value="191" formatted="75%" uom="100" name="Status" /></node>' +
  '<node id="61 9 B 1"><property id="ST" value="" formatted=" " uom="0" /></node>' +
  '<node id="ZW002_1"></node>' +
  '<node id="n007_meter"><property id="GV0" value="705" formatted="70.5" uom="17" prec="1" name="Temperature" /></node>' +
  '<node id="FF FF FF 1"><property id="ST" value="1" formatted="On" uom="100" /></node></nodes>';

export const GROUPS = {
  groups: [
    {
      id: "31777",
      ctl: [
        { id: "61 9 B 1", links: [{ type: "native", node: "5C 2 D1 1" }] },
        {
          id: "31777",
          links: [
            {
              type: "native",
              node: "5C 2 D1 1",
              linkdef: "I_DIMMER",
              params: [{ type: "val", id: "OL", val: { uom: 51, prec: 0, value: 35 } }],
            },
          ],
        },
      ],
    },
  ],
};

export const PROGRAMS = [
  {
    id: "0001",
    status: "true",
    folder: true,
    name: "My Programs",
    lastRunTime: "",
    lastFinishTime: "",
    nextScheduledRunTime: "",
  },
  {
    id: "0002",
    parentId: "0001",
    status: "false",
    folder: true,
    name: "Lights",
    lastRunTime: "",
    lastFinishTime: "",
    nextScheduledRunTime: "",
  },
  {
    id: "001C",
    parentId: "0002",
    status: "true",
    folder: false,
    enabled: true,
    runAtStartup: false,
    running: "idle",
    name: "Dusk",
    lastRunTime: "2031-02-03T04:05:06.000Z",
    lastFinishTime: "",
    nextScheduledRunTime: "",
  },
];

export const TRIGGERS = [{ id: 28, name: "Dusk", parent: 2, if: [], then: [{ type: "wait", minutes: 1 }], else: [] }];

export const INTEGERS = [
  { id: "7", val: 12, init: 0, prec: 0, name: "Boost", ts: "2031-02-03T04:05:06.000Z" },
  { val: 3, name: "No Id" },
];
export const STATES = [{ id: "7", val: 215, init: 200, prec: 1, name: "Target", ts: "" }];

export const RESOURCES =
  "<NetConfig><NetRule><id>3</id><name>Ring Chime</name><host>198.51.100.7</host></NetRule></NetConfig>";

export const RADIO_NODEDEFS =
  '<?xml version="1.0" encoding="UTF-8"?><nodeDefs><nodedef id="UZW01A2" nls="109"><editors />' +
  '<sts><st id="ST" editor="_51_0_R_0_101_N_IX_LVL" /><st id="ERR" editor="ZW_ERR" hide="T" /></sts>' +
  '<cmds><sends><cmd id="DON" /></sends><accepts><cmd id="DON"><p id="" editor="_51_0_R_0_101" optional="T" />' +
  '<p id="RR" editor="ZW_RR" optional="T" /></cmd><cmd id="DOF" native="F" /></accepts></cmds>' +
  '<links><ctl></ctl><rsp><link linkdef="BASIC" /></rsp></links></nodedef></nodeDefs>';

export const GLOBAL_LABELS =
  "# global\nST-ST-NAME = Status\nCMD-DON-NAME = On\nCMD-DOF-NAME=Off\nIX_LVL-101 = Unknown\n";
export const RADIO_LABELS =
  "\nST-109-ST-NAME = Brightness\nNDN-109-NAME = Dimmer Switch\nIX_LVL-0 = Dark\nbroken line\n";
