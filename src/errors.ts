/**
 * The error catalogue: every failure that can leave the service, with its stable code, HTTP status and sentence.
 * A new error is one row here and one row in docs/errors.md (the tidy test compares them).
 *
 * @see docs/errors.md
 */

const CATALOGUE = {
  BAD_REQUEST: [400, "The request is malformed."],
  BAD_JSON: [400, "The body is not valid JSON."],
  BAD_BODY: [400, "The body does not have the documented shape."],
  BAD_PATH: [400, "The path is malformed."],
  BAD_NAME: [400, "A name has 1 to 200 characters and no control characters."],
  BAD_VALUE: [400, "The value is not a number of the documented range."],
  BAD_PROGRAM_TEXT: [400, "The text is not a program."],
  PROGRAM_TOO_LARGE: [400, "The program has more statements than the settings allow."],
  BAD_PARAMETER: [400, "A command parameter is missing, malformed or out of range."],
  BAD_PARAMETER_SIZE: [400, "The size of a radio parameter is 1, 2 or 4 bytes."],
  PAIRING_CODE_INVALID: [
    400,
    "This is not the code of a Matter device. Enter its 11 or 21 digits, or the text of its QR code, which begins with MT:.",
  ],
  SETTINGS_REFUSED: [400, "The settings do not fit the type of the integration."],
  BAD_LINK: [400, "The node cannot have this link in a scene."],
  PASSKEY_NEEDS_NAME: [
    400,
    "Passkeys need a name. Open the page under one, with a certificate that the browser trusts, not under an IP address.",
  ],
  SECOND_FACTOR_UNCONFIRMED: [
    400,
    "These digits do not belong to the secret that was shown. Enter the newest ones. The clock of the phone must be right.",
  ],
  PLUGIN_REFUSED: [400, "The archive is not a plugin that can run."],
  SUBSCRIPTION_REFUSED: [400, "Events are sent on the connection of the request only: REUSE_SOCKET."],
  PERSON_NOT_FOUND: [404, "There is no person with this id or name."],
  ALERT_NOT_FOUND: [404, "There is no such alert, or it does not ring."],
  PLUGIN_NOT_FOUND: [404, "There is no plugin with this id, slot or name."],
  BACKUP_REFUSED: [400, "The file is not a backup that can be restored."],
  COMMAND_NOT_ACCEPTED: [404, "The node does not accept this command."],
  PROGRAM_COMMAND_UNKNOWN: [404, "Unknown program command."],
  COMMAND_NOT_FOR_FOLDERS: [400, "A program folder does not accept this command."],
  UNAUTHENTICATED: [401, "Valid credentials are required."],
  LOGIN_FAILED: [401, "The user name or the password is wrong."],
  PASSKEY_REFUSED: [401, "The passkey was not accepted. Try again, or sign in with the password."],
  SECOND_FACTOR_NEEDED: [
    401,
    "The account needs the six digits of its second factor too, or a recovery code. A program that cannot ask for them uses a local account.",
  ],
  SECOND_FACTOR_REFUSED: [401, "These digits are not right, or they were used already. Wait for the next ones."],
  TOKEN_REFUSED: [401, "The token is expired, revoked or from another controller."],
  FORBIDDEN: [403, "Your role does not allow this."],
  SIGN_IN_AGAIN: [403, "Sign out and in again first: this works within ten minutes of the sign-in."],
  HOME_NETWORK_ONLY: [
    403,
    "A user name and a password alone work only in the home network. The setting basicFrom changes that.",
  ],
  OUT_OF_HOURS: [403, "Your account cannot be used at this time."],
  CROSS_SITE_REFUSED: [403, "A web page of another site may not do this."],
  HOST_REFUSED: [403, "This host name is not one of the controller's. Add it to the setting allowedHosts."],
  TARGET_REFUSED: [
    403,
    "Requests to this target are not allowed. To allow them, list it in the setting networkTargets.",
  ],
  PATH_UNKNOWN: [404, "There is nothing at this path."],
  PAGE_NOT_BUILT: [404, "The page is not built. To build it, run npm ci without --omit=dev."],
  NODE_NOT_FOUND: [404, "There is no node, group or folder with this address."],
  PROPERTY_NOT_FOUND: [404, "The node has no such property."],
  NOTES_NOT_FOUND: [404, "The node has no notes."],
  COMMAND_NOT_FOUND: [404, "There is no command with this id among the latest."],
  PROGRAM_NOT_FOUND: [404, "There is no program with this id."],
  VARIABLE_NOT_FOUND: [404, "There is no variable with this type and id."],
  RESOURCE_NOT_FOUND: [404, "There is no network resource with this id."],
  PROFILE_NOT_FOUND: [404, "There is no profile file at this path."],
  PARAMETER_NOT_FOUND: [404, "The device has no such configuration parameter."],
  CODE_SLOT_NOT_FOUND: [404, "The lock has no such user-code slot."],
  ACCOUNT_NOT_FOUND: [404, "There is no account with this id."],
  GUEST_NOT_FOUND: [404, "There is no guest link with this id."],
  CHANNEL_NOT_FOUND: [404, "There is no running notification channel with this id."],
  PROPOSAL_NOT_FOUND: [404, "There is no proposal with this id. Decided ones are removed after a while."],
  REPLAY_NOT_FOUND: [404, "There is no replay with this id. The controller keeps the newest ones only."],
  BACKUP_NOT_FOUND: [404, "There is no backup with this id."],
  FABRIC_NOT_FOUND: [404, "The Matter bridge is in no ecosystem with this number."],
  INTEGRATION_NOT_FOUND: [404, "There is no integration with this id."],
  EDIT_NOT_FOUND: [404, "There is no edit with this number, or it is too old and no longer stored."],
  RADIO_NOT_FOUND: [404, "There is no radio network with this name."],
  PROVISIONED_NOT_FOUND: [404, "The list of devices that may join has no device with this key."],
  METHOD_NOT_ALLOWED: [405, "This path does not accept this method."],
  NODE_DISABLED: [409, "The node is disabled."],
  NOT_SIMULATED: [409, "The node belongs to a real device."],
  CONFLICT: [409, "Another client changed this in the meantime."],
  FOLDER_NOT_EMPTY: [409, "The folder still holds programs or folders."],
  ACCOUNT_EXISTS: [409, "There is an account of this kind with this login already."],
  LAST_OWNER: [409, "It is the last owner of its kind. Make another owner first."],
  REPLAYS_UNDER_WAY: [409, "The setting replaysAtOnce allows no further replay. Wait until one ends."],
  BACKUP_UNDER_WAY: [409, "A backup is being made already. Wait until it is done."],
  RADIO_BUSY: [409, "An operation is under way on the radio network. Wait for its end, or cancel it."],
  RADIO_IDLE: [409, "Nothing is under way on the radio network."],
  RADIO_ASKS_NOTHING: [409, "The radio network has no open question."],
  UNDO_REFUSED: [409, "The edit can no longer be undone."],
  NO_SECOND_WAY: [409, "Recovery codes belong to a passkey or a second factor. Add one first."],
  LIMIT_REACHED: [409, "The limit in the settings is reached."],
  BODY_TOO_LARGE: [413, "The body is larger than this path accepts."],
  URL_TOO_LONG: [414, "The address is longer than 16 KiB."],
  MEDIA_TYPE_REFUSED: [415, "This path accepts application/json."],
  UPGRADE_REQUIRED: [426, "This path is an event stream. Open it as a WebSocket."],
  TOO_MANY_TRIES: [429, "Too many failed logins. Wait before the next try."],
  TOO_MANY_REQUESTS: [429, "Too many requests. Slow down."],
  INTERNAL: [500, "Something went wrong inside the controller. The log has the details."],
  NOT_SUPPORTED: [501, "The device cannot do this."],
  OPERATION_UNAVAILABLE: [501, "This operation is not available here."],
  LOGINS_BUSY: [503, "Too many logins are being checked at the moment. Try again."],
  DEADLINE_PASSED: [503, "The request took too long and was canceled."],
  STORE_UNAVAILABLE: [503, "The change could not be written to disk. Try again."],
  QUEUE_FULL: [503, "Too many commands are waiting for this device."],
  WRITER_UNCONFIRMED: [
    503,
    "The database does not confirm that this machine writes the home, so it must not act. Try again.",
  ],
  STANDBY: [503, "This machine is a standby. Another one runs the home."],
  DRIVER_UNAVAILABLE: [503, "The driver of this node is not running."],
  DEVICE_TIMEOUT: [503, "The device did not answer in time."],
  DEVICE_UNREACHABLE: [503, "The device cannot be reached."],
  DEVICE_FAILED: [503, "The device refused the command."],
  NOTIFICATION_FAILED: [503, "The notification could not be delivered."],
  TOO_MANY_SUBSCRIBERS: [503, "Too many clients follow the event stream."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof CATALOGUE;

export const ERROR_CODES = Object.keys(CATALOGUE) as readonly ErrorCode[];

const CODES = new Map<string, ErrorCode>(ERROR_CODES.map((code) => [CATALOGUE[code][1], code]));

/** The code whose sentence it is; null when it is a sentence for one case. */
export function codeOfSentence(sentence: string): ErrorCode | null {
  return CODES.get(sentence) ?? null;
}

type ErrorDetail = {
  /** A sentence for this very case. Default: the catalogue's sentence. Never holds secrets or paths of the machine. */
  readonly sentence?: string;
  /** Seconds after which a retry makes sense; sent as Retry-After with 429 and 503. null: a retry makes no sense. */
  readonly retryAfterS?: number | null;
  readonly cause?: unknown;
  /** For a text: every place with a problem. */
  readonly problems?: readonly Problem[];
};

/** One of several things that are wrong, with its place in a text; `/api` answers with them. */
type Problem = {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | null;
};

/** An expected failure, reported to the caller. @see docs/errors.md */
export class ControllerError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly problems: readonly Problem[];

  /** @param given the sentence, or more detail. */
  constructor(code: ErrorCode, given: string | ErrorDetail = {}) {
    const detail: ErrorDetail = typeof given === "string" ? { sentence: given } : given;
    super(detail.sentence ?? CATALOGUE[code][1], detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "ControllerError";
    this.code = code;
    this.status = CATALOGUE[code][0];
    this.problems = detail.problems ?? [];
    const usualS = this.status === 503 ? 1 : null;
    this.retryAfterS = detail.retryAfterS === undefined ? usualS : detail.retryAfterS;
  }
}

/** The error with which the work refuses what it is given; null when it takes it. */
export function refusalOf(work: () => unknown): ControllerError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ControllerError) return error;
    throw error;
  }
}

/** What the work returns; null when it refuses what it is given. */
export function ifAccepted<T>(work: () => T): T | null {
  let made: T | null = null;
  refusalOf(() => {
    made = work();
  });
  return made;
}

/** @param sentence says why the value does not fit. */
export function badValue(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("BAD_VALUE", { sentence, cause });
}

/** Holds for our own bugs only, never for what a device or a client sends. */
export function invariant(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${sentence}`);
}
