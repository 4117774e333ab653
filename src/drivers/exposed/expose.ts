/** What a device has, as whatever lists it tells: Zigbee2MQTT's words, which the others are put into. */

export type Plain = string | number | boolean;

/** One value, or one group of values, that a device has. */
export type Expose = {
  /** light, switch, cover, lock, climate and fan hold `features`; binary, numeric, enum, text, composite, list are values. */
  readonly type: string;
  readonly name: string;
  /** Key in the messages of the device. */
  readonly property: string;
  readonly endpoint: string;
  readonly label: string;
  readonly unit: string;
  /** 1 it is published, 2 it can be set, 4 it can be asked for. */
  readonly access: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly valueOn: Plain;
  readonly valueOff: Plain;
  readonly values: readonly Plain[];
  /** For configuration and diagnosis, not for use. */
  readonly isInternal: boolean;
  /** Of its node, where the type alone does not say it. */
  readonly nodeCategory: number | null;
  /** Whether a light takes steps and movements of its brightness. */
  readonly canMove: boolean;
  readonly features: readonly Expose[];
};

export type ListedDevice = {
  /** Identity for ever: with Zigbee, `0x` and sixteen hexadecimal digits. */
  readonly id: string;
  /** Its name; with Zigbee2MQTT its topic below the base, too. May hold `/`. */
  readonly topic: string;
  readonly model: string;
  readonly firmware: string | null;
  readonly isInterviewed: boolean;
  /** Room that it says it is in. */
  readonly room?: string;
  readonly exposes: readonly Expose[];
};

const PLAIN: Expose = {
  ...{ type: "", name: "", property: "", endpoint: "", label: "", unit: "", access: 1, min: null, max: null },
  ...{
    step: null,
    valueOn: true,
    valueOff: false,
    values: [],
    isInternal: false,
    features: [],
    nodeCategory: null,
    canMove: false,
  },
};

/** With what most exposes do not have. */
export function expose(given: Partial<Expose> & Pick<Expose, "type">): Expose {
  return { ...PLAIN, ...given };
}

/** The numbers of a message are those of its text. */
export function asNumber(text: string): number | null {
  const number = Number(text.slice(0, 100));
  return text.trim() !== "" && Number.isFinite(number) ? number : null;
}
