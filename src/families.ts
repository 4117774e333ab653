/**
 * The families of nodes: the form of their addresses, and what documents and streams carry of their nodes. This is the only
 * file of the core that knows a family by its number or its prefix. To add a family, add a row.
 */

type Family = {
  readonly id: number;
  /** For people. */
  readonly name: string;
  /** Letters that its addresses, its named editors and its generated nodedefs begin with; null = none in common. */
  readonly prefix: string | null;
  readonly addressForm: RegExp;
  /** How documents name the family of a node: clients take a node without one for a wired device. */
  readonly namedBy: "nothing" | "number" | "number and instance";
  /** Whether structure documents list the status of its nodes; otherwise it is in the status table only. */
  readonly listsStatus: boolean;
  /** Whether its devices take and report levels as bytes, 0 to 255. */
  readonly hasByteLevels: boolean;
  readonly radio: RadioFamily | null;
  /** Unit of the property ERR, as clients know it: 0 none, 25 index. */
  readonly healthUnit: number;
  /** Member of `/api/sys` that shows whether the home has nodes of it. */
  readonly supportFlag: string | null;
  /** The same in the system options; null: not there. */
  readonly supportOption: string | null;
};

/** The interface's functions for a family of radio devices. */
type RadioFamily = {
  /** Prefix of its paths. Clients do not agree on which prefix belongs to which family of the same protocol. */
  readonly path: string;
  /** Control of the frames about its network. */
  readonly eventControl: string;
  /** Whether nodes carry the device type that their maker gave them, and the paths offer parameters, codes and inclusion. */
  readonly hasDeviceTypes: boolean;
  /** Entry in the list of features; clients look it up by its text. */
  readonly feature: { readonly id: number; readonly text: string } | null;
  /** Element of the system options. */
  readonly systemOption: string | null;
};

const PLAIN = {
  prefix: null,
  namedBy: "number",
  listsStatus: true,
  hasByteLevels: false,
  radio: null,
  healthUnit: 25,
  supportFlag: null,
  supportOption: null,
} as const;
const OTHER_ADDRESS = /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}$/;
const ZWAVE = { hasDeviceTypes: true, feature: { id: 21_100, text: "Z-Wave" } } as const;
const OTHER_RADIO = { hasDeviceTypes: false, feature: null, systemOption: null } as const;

export const WIRED: Family = {
  ...PLAIN,
  id: 1,
  name: "Wired",
  addressForm: /^[0-9A-F]{1,2}( [0-9A-F]{1,2}){3}$/,
  namedBy: "nothing",
  hasByteLevels: true,
  healthUnit: 0,
  supportFlag: "insteonSupport",
  supportOption: "INSTEONSupport",
};

/** Where wired devices keep the brightness of their lights, as clients know it. */
export const BACKLIGHT_MEMORY = 0x02_64;

export const GROUPS: Family = { ...PLAIN, id: 6, name: "Scenes", addressForm: OTHER_ADDRESS };

/** Its instance is the slot of the plugin. */
export const PLUGINS: Family = {
  ...PLAIN,
  id: 10,
  name: "Plugin",
  addressForm: /^n\d{3}_[^\s<>`~!@#$%^&*(){}[\]?/\\;:"'\p{C}]{1,16}$/u,
  namedBy: "number and instance",
  listsStatus: false,
};

export const FOLDERS: Family = { ...PLAIN, id: 13, name: "Folders", addressForm: OTHER_ADDRESS };

export const ZIGBEE: Family = {
  ...PLAIN,
  id: 14,
  name: "Zigbee",
  prefix: "ZB",
  addressForm: /^ZB\d{3,5}_\d{1,6}$/,
  radio: { ...OTHER_RADIO, path: "/rest/zmatter/zigbee", eventControl: "_27" },
  supportFlag: "zigbeeSupport",
  supportOption: "ZigbeeSupport",
};

export const FAMILIES: readonly Family[] = [
  WIRED,
  {
    ...PLAIN,
    id: 4,
    name: "Z-Wave",
    prefix: "ZW",
    addressForm: /^ZW\d{3,5}_\d{1,6}$/,
    radio: { ...ZWAVE, path: "/rest/zwave", eventControl: "_21", systemOption: null },
    healthUnit: 0,
    supportFlag: "zwaveSupport",
    supportOption: "ZWaveSupport",
  },
  GROUPS,
  PLUGINS,
  {
    ...PLAIN,
    id: 12,
    name: "Z-Wave",
    prefix: "ZY",
    addressForm: /^ZY\d{3,5}_\d{1,6}$/,
    radio: { ...ZWAVE, path: "/rest/zmatter/zwave", eventControl: "_25", systemOption: "ZMatterZWave" },
    healthUnit: 0,
    supportFlag: "zMatterZwave",
  },
  FOLDERS,
  ZIGBEE,
  {
    ...PLAIN,
    id: 15,
    name: "Matter",
    prefix: "ZM",
    // Node, endpoint, and which of the endpoint's nodes.
    addressForm: /^ZM\d{5,10}_\d{3,5}_\d{1,6}$/,
    radio: { ...OTHER_RADIO, path: "/rest/zmatter/matter", eventControl: "_28" },
    supportFlag: "matterSupport",
    supportOption: "MatterSupport",
  },
];

export const RADIO_FAMILIES: readonly (Family & { readonly radio: RadioFamily })[] = FAMILIES.flatMap((family) => {
  const { radio } = family;
  return radio ? [{ ...family, radio }] : [];
});

/** Members of `/api/sys` by family. */
export const SUPPORT_FLAGS: ReadonlyMap<string, number> = new Map(
  FAMILIES.flatMap(({ id, supportFlag }) => (supportFlag === null ? [] : [[supportFlag, id] as const])),
);

/** The elements of the system options that say whether a family is supported. */
export const SUPPORT_OPTIONS: ReadonlyMap<string, number> = new Map(
  FAMILIES.flatMap(({ id, supportOption }) => (supportOption === null ? [] : [[supportOption, id] as const])),
);

const BY_ID: ReadonlyMap<number, Family> = new Map(FAMILIES.map((family) => [family.id, family]));
/** A family without a row of its own. */
const OTHER: Family = { ...PLAIN, id: -1, name: "", addressForm: OTHER_ADDRESS };

export function familyOf(id: number): Family {
  return BY_ID.get(id) ?? OTHER;
}

/** Slot 0 has the devices that announce themselves. */
export function isOfPlugin({ family, instance }: { readonly family: number; readonly instance: number }): boolean {
  return family === PLUGINS.id && instance > 0;
}
