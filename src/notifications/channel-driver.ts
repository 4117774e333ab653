/**
 * A channel as a driver: it has no devices, only a way to deliver a message. Its state shows the outcome of the last
 * delivery.
 */

import type { Driver, DriverHost, NotificationMessage, Outcome } from "../drivers/driver.ts";
import { messageOf } from "../util/message-of.ts";
import { rejectOnAbort } from "../util/reject-on-abort.ts";

/** Delivers one message. @throws Error with a sentence for the owner, without secrets */
export type Deliver = (message: NotificationMessage, signal: AbortSignal) => Promise<void>;

const NO_DEVICE: Outcome = {
  kind: "failed",
  reason: "unsupported",
  detail: "A channel has no devices.",
  retryable: false,
};

/** @param mayAlarm checked at every alarm: whether the recipients may get it */
export function createChannelDriver(
  name: string,
  settings: ChannelSettings,
  deliver: Deliver,
  mayAlarm: () => boolean = () => true,
): Driver {
  let host: DriverHost | null = null;
  return {
    name,
    async start(given) {
      host = given;
    },
    async stop() {
      host = null;
    },
    send: async () => NO_DEVICE,
    query: async () => NO_DEVICE,
    setEnabled() {},
    notifications: {
      ...settings,
      get alarms() {
        return settings.alarms && mayAlarm();
      },
      async deliver(message, signal) {
        try {
          // Not every library ends when the signal says so.
          await Promise.race([deliver(message, signal), rejectOnAbort(signal)]);
          host?.status("ready", "");
        } catch (error) {
          const reason = messageOf(signal.aborted ? signal.reason : error);
          host?.status("degraded", `The last delivery failed: ${reason}`);
          throw new Error(reason);
        }
      },
      showFailure: (sentence) => host?.status("degraded", sentence),
    },
  };
}

/** Common to every channel, independent of its transport. */
export type ChannelSettings = {
  /** Number by which programs name it; 0: it takes what no other channel has the number of. */
  readonly recipient: number;
  /** Takes the controller's own alarms. */
  readonly alarms: boolean;
  /** Texts of programs by their content number. */
  readonly contents: Readonly<Record<string, string>>;
};
