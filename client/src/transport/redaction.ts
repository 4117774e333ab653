/** Keeps secrets out of shown texts: addresses, and sentences of a controller that repeats its input. */

const HIDDEN = "…";
/** Shorter ones would blot out common words. */
const SECRET_CHARS_MIN = 4;

/** The path without the user code, or the key of a device, that it may hold. */
export function redactPath(path: string): string {
  return path.replace(/(\/security\/user\/[^/]+\/set\/code\/|\/provisioning\/)[^/?#]+/, `$1${HIDDEN}`);
}

/** The text without any of the secrets, as they are or as they stand in addresses. */
export function redactText(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= SECRET_CHARS_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return spellings.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text);
}
