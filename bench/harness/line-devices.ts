/** The home of measures that play all of its devices, see servers/line-driver.ts: sensors, lamps that follow them, others. */

/** `watched`: of sensors, what programs look at; `metered`: of every device, what none does; `shown`: the level of a lamp. */
export const PROPERTY = { watched: "GV0", metered: "CPW", shown: "ST" } as const;

export type LineHome = {
  readonly nodes: number;
  /** Sensor s1 is followed by lamp l1, by a program; at most half of the nodes. */
  readonly programs: number;
};

/** Commands that a program sends at some instant on its own go to devices that are neither sensors nor lamps. */
export const USUAL_LINES: LineHome = { nodes: 500, programs: 200 };

function deviceName({ programs }: LineHome, index: number): string {
  if (index < programs) return `s${index}`;
  return index < 2 * programs ? `l${index - programs}` : `m${index - 2 * programs}`;
}

export function deviceNames(home: LineHome): readonly string[] {
  return Array.from({ length: home.nodes }, (_, index) => deviceName(home, index));
}

/** One report in so many is watched by a program, at a sustained rate of reports. */
const WATCHED_EVERY = 50;

type SentReport = { readonly device: string; readonly property: string; readonly value: number };

/**
 * The report with this number of a sustained rate. Its value contains the number, from 1, so that a missing or
 * repeated one is found. The sign of a watched one alternates, so that the program decides differently each time.
 */
export function numberedReport(home: LineHome, index: number): SentReport {
  const turn = Math.floor(index / WATCHED_EVERY);
  if (index % WATCHED_EVERY > 0) {
    return { device: deviceName(home, index % home.nodes), property: PROPERTY.metered, value: index + 1 };
  }
  const sign = Math.floor(turn / home.programs) % 2 === 0 ? 1 : -1;
  return { device: `s${turn % home.programs}`, property: PROPERTY.watched, value: sign * (index + 1) };
}
