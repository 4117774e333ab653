/** Why an adapter could not be opened or does not answer, as a sentence that says what to do. */

import { errorSentence } from "./error-sentence.ts";

type Row = readonly [said: RegExp, sentence: (port: string) => string];

/** By what the system and the library say; the first that fits. */
const ROWS: readonly Row[] = [
  [
    /no such file|ENOENT/i,
    (port) => `There is no ${port}. Is the adapter plugged in? Adapters are listed in /dev/serial/by-id.`,
  ],
  [
    /permission denied|EACCES/i,
    (port) => `The service has no permission to open ${port}: add its user to the group dialout, then restart it.`,
  ],
  [/cannot lock|temporarily unavailable|EBUSY|busy/i, (port) => `${port} is in use by another process.`],
  [/inappropriate ioctl|is a directory|ENOTTY|EISDIR/i, (port) => `${port} is not a serial port.`],
  [/ECONNREFUSED/, (port) => `Nothing listens at ${port}.`],
  [/ENOTFOUND|EAI_AGAIN/, (port) => `The host of ${port} is unknown.`],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timed? ?out.*connect/i, (port) => `${port} cannot be reached.`],
  [
    /Failed to initialize the driver|waiting for (a|an) (response|ACK|callback)|did not respond/i,
    (port) => `The device at ${port} does not answer like a Z-Wave adapter. Unplug it and plug it in again.`,
  ],
];

/** @param port as the settings name it; null: a simulated one. */
export function startFailure(port: string | null, error: unknown): Error {
  const said = error instanceof Error ? error.message : "";
  const row = port === null ? undefined : ROWS.find(([pattern]) => pattern.test(said));
  const [firstLine = ""] = errorSentence(error).split(/\s+at \S+ \(/);
  return new Error(row ? row[1](port ?? "") : firstLine, { cause: error });
}
