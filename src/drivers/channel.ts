/** The port of a notification channel: it has no devices, only a way to deliver a message. */

import type { Service } from "./service.ts";

export type NotificationMessage = {
  readonly subject: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
};

export type Channel = Service & {
  /** Number by which programs name it; 0: it takes what no other channel has the number of. */
  readonly recipient: number;
  /** Takes the controller's own alarms. */
  readonly alarms: boolean;
  /** Texts of programs by their content number. */
  readonly contents: Readonly<Record<string, string>>;
  /** @throws Error with a sentence for the owner, without secrets */
  deliver(message: NotificationMessage, signal: AbortSignal): Promise<void>;
  /** Shows the sentence as the reason of its state, until a delivery succeeds. */
  showFailure(sentence: string): void;
};
