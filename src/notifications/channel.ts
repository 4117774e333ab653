/** A notification channel as what an integration runs. Its state shows the outcome of the last delivery. */

import type { Channel, NotificationMessage } from "../drivers/channel.ts";
import type { ServiceHost } from "../drivers/service.ts";
import { messageOf } from "../util/message-of.ts";
import { rejectOnAbort } from "../util/reject-on-abort.ts";

/** Delivers one message. @throws Error with a sentence for the owner, without secrets */
export type Deliver = (message: NotificationMessage, signal: AbortSignal) => Promise<void>;

/** Common to every channel, independent of its transport. */
export type ChannelSettings = Pick<Channel, "recipient" | "alarms" | "alerts" | "quiet" | "contents">;

/** @param mayAlarm checked at every alarm: whether the recipients may get it */
export function createChannel(
  name: string,
  settings: ChannelSettings,
  deliver: Deliver,
  mayAlarm: () => boolean,
): Channel {
  let host: ServiceHost | null = null;
  return {
    ...settings,
    name,
    get alarms() {
      return settings.alarms && mayAlarm();
    },
    async start(given) {
      host = given;
    },
    async stop() {
      host = null;
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
  };
}
