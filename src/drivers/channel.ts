/** The port of a notification channel: it has no devices, only a way to deliver a message. */

import type { Urgency } from "./alert-port.ts";
import type { Service } from "./service.ts";

/** What makes a notification one of an alert. */
export type AlertNotice = {
  readonly urgency: Urgency;
  /** A later message with the same one takes the place of this one. */
  readonly tag: string;
  /** Answers the alert; "": there is nothing to answer. */
  readonly token: string;
  /** Labels; the number of a button counts from 1. */
  readonly buttons: readonly string[];
  /** How a phone reaches the controller: `https://HOST:PORT`; "": not known, so the message has no link. */
  readonly pageUrl: string;
};

export type NotificationMessage = {
  readonly subject: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Of an alert; left out: an ordinary one. */
  readonly alert?: AlertNotice;
  /** It makes no sound where the channel can do that. */
  readonly isSilent?: boolean;
};

/** The page on which an alert is answered; the token stands behind the #, which no server and no scanner of links gets. "": none. */
export function answerPage({ alert }: Pick<NotificationMessage, "alert">): string {
  return !alert || alert.token === "" || alert.pageUrl === "" ? "" : `${alert.pageUrl}/alert#${alert.token}`;
}

export type Channel = Service & {
  /** Number by which programs name it; 0: it takes what no other channel has the number of. */
  readonly recipient: number;
  /** Takes the controller's own alarms. */
  readonly alarms: boolean;
  /** Gets alerts that are for all. */
  readonly alerts: boolean;
  /** Hours in which ordinary notifications make no sound, by the time of the home: `22:00-07:00`; "": none. */
  readonly quiet: string;
  /** Texts of programs by their content number. */
  readonly contents: Readonly<Record<string, string>>;
  /** @throws Error with a sentence for the owner, without secrets */
  deliver(message: NotificationMessage, signal: AbortSignal): Promise<void>;
  /** Shows the sentence as the reason of its state, until a delivery succeeds. */
  showFailure(sentence: string): void;
};
