/** One mail by SMTP. Loaded when the first mail is sent. */

import { createTransport } from "nodemailer";
import type { NotificationMessage } from "../drivers/driver.ts";

/** @throws Error with a sentence without the server's address, which holds the password */
export async function sendEmail(
  { server = "", to = "", from }: Readonly<Record<string, string>>,
  { subject, text }: NotificationMessage,
  signal: AbortSignal,
): Promise<void> {
  const transport = createTransport(server);
  const stop = () => transport.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await transport.sendMail({ from: from ?? to.split(",")[0]?.trim() ?? "", to, subject, text });
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    throw new Error(
      responseCode === undefined
        ? `The mail server cannot be used (${code ?? "no answer"}).`
        : `The mail server refused the mail with ${responseCode}.`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
    transport.close();
  }
}
