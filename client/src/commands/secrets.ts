/** The parts of a request that may be secret, so that no error or log line shows them. */

/** Shorter ones would blank out half of every message. */
const SECRET_LENGTH_MIN = 4;

/** Only the controller knows which values are secret, so every text counts as one. */
export function secretsIn(values: object = {}): readonly string[] {
  return Object.values(values).filter(
    (value): value is string => typeof value === "string" && value.length >= SECRET_LENGTH_MIN,
  );
}
