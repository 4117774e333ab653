/** Errors of the library as failures for people. Import it after `configureLibrary`. */

import { causedBy, IcdPeerAsleepError } from "@matter/main";
import { StatusResponseError } from "@matter/main/types";
import { messageOf } from "../../util/message-of.ts";
import type { ControllerFailure } from "./controller-messages.ts";

const DETAIL_MAX = 300;

export function failureOf(error: unknown): ControllerFailure {
  const detail = messageOf(error).slice(0, DETAIL_MAX);
  if (causedBy(error, IcdPeerAsleepError)) return { reason: "asleep", detail: "The device is asleep." };
  if (causedBy(error, StatusResponseError)) return { reason: "rejected", detail: `The device refused: ${detail}` };
  return { reason: "unreachable", detail };
}
