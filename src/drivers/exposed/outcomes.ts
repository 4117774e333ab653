/** How commands to devices of a broker end before anything is sent. */

import { failed, type Outcome } from "../command.ts";

export const NOT_READY = failed("not-ready", "The broker is not connected.", true);
export const UNKNOWN = failed("unreachable", "Zigbee2MQTT does not list this device.");
export const UNSUPPORTED = failed("unsupported", "The device does not take this command.");
export const BAD_VALUE = failed("bad-parameter", "The device does not take this value.");
export const GIVEN_UP = failed("timeout", "The command was given up.", true);
export const ASKS_NOTHING: Outcome = { kind: "sent", detail: "The device reports by itself and cannot be asked." };
