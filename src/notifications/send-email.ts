/** One mail by SMTP. Loaded when the first mail is sent. */

import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import type { NotificationMessage } from "../drivers/channel.ts";
import { readMailServer, UNREADABLE_SERVER } from "./mail-server.ts";
import { unreachable } from "./unreachable.ts";

const UNREADABLE_ADDRESS = "The mail has no address that can be read. Check the settings to and from.";

/** @throws Error with a sentence without the server's address, which holds the password */
export async function sendEmail(
  { server = "", to = "", from }: Readonly<Record<string, string>>,
  { subject, text, alert }: NotificationMessage,
  signal: AbortSignal,
): Promise<void> {
  const options = readMailServer(server);
  // Channels of an earlier version may have such an address.
  if (!options) throw new Error(UNREADABLE_SERVER);
  const socket = connect({ host: options.host, port: options.port });
  // The library ends no connection before limits of its own, which are minutes.
  const stop = () => socket.destroy(new Error("The deadline has passed."));
  signal.addEventListener("abort", stop, { once: true });
  const transport = createTransport({
    ...options,
    getSocket(_options: unknown, callback: (error: Error | null, socket?: { readonly connection: Socket }) => void) {
      const refuse = (error: Error) => callback(error);
      socket.once("error", refuse);
      socket.once("connect", () => {
        socket.off("error", refuse);
        callback(null, { connection: socket });
      });
    },
  });
  try {
    const isUrgent = alert?.urgency === "high" || alert?.urgency === "critical";
    const mail = { from: from ?? firstOf(to), to, subject, text };
    await transport.sendMail({ ...mail, ...(isUrgent && { priority: "high" as const }) });
  } catch (error) {
    const { code = null, message, responseCode } = error as Error & { code?: string; responseCode?: number };
    if (code === "EENVELOPE" && responseCode === undefined) throw new Error(UNREADABLE_ADDRESS);
    // The library writes its own code over that of the socket, which only the message still has.
    const cause = /\bE[A-Z_]{4,}\b/.exec(message)?.[0] ?? code;
    throw new Error(
      responseCode === undefined || code === "EAUTH"
        ? unreachable("The mail server", cause)
        : `The mail server refused the mail with ${responseCode}.`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
    transport.close();
    socket.destroy();
  }
}

/** A name may hold a comma: `"Doe, Jane" <jane@example.org>`. */
function firstOf(addresses: string): string {
  return addressparser(addresses, { flatten: true })[0]?.address ?? "";
}
