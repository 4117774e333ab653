/**
 * The name of a node until its owner renames it: the device's number, then the node's part of the device: "ZW 023
 * Motion Sensor". The owner's name from an earlier installation replaces the number.
 */

type Named = {
  readonly endpoint: number;
  readonly part: number;
  /** Possible names, the best first. */
  readonly words: readonly string[];
};

/**
 * A label for every node of a device, none of them twice: "Power Strip", "Power Switch 1", "Meter 1", "Scene 2". The number
 * is that of the endpoint, as it is printed on devices with several.
 */
export function labelsOf(nodes: readonly Named[]): readonly string[] {
  const taken = new Set<string>();
  return nodes.map(({ endpoint, part, words }) => {
    const candidates = [...words, `${words[0]} ${part}`].map((text) => (endpoint === 0 ? text : `${text} ${endpoint}`));
    const label = candidates.find((candidate) => !taken.has(candidate)) ?? `${words[0]} ${endpoint} ${part}`;
    taken.add(label);
    return label;
  });
}

/**
 * No word is repeated: the alarms of "Front door lock" are "Front door lock Alarm".
 *
 * @param device its name from an earlier installation, or null.
 * @param number "ZW 023".
 */
export function defaultNodeName(device: string | null, number: string, label: string, isFirst: boolean): string {
  if (device === null) return `${number} ${label}`;
  if (isFirst) return device;
  const words = label.split(" ");
  const own = device.toLowerCase().split(/\s+/);
  const endsWith = (count: number) => own.slice(-count).join(" ") === words.slice(0, count).join(" ").toLowerCase();
  const repeated = words.findLastIndex((_word, at) => endsWith(at + 1)) + 1;
  return `${device} ${words.slice(repeated).join(" ") || "State"}`;
}
