/** A mail server on loopback, which keeps what it is sent. */

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** `from` and `to` as the envelope has them. */
type Mail = {
  readonly user: string;
  readonly text: string;
  readonly from: string;
  readonly to: readonly string[];
};

export class MailServer implements AsyncDisposable {
  readonly mails: Mail[] = [];
  readonly #server: SMTPServer;

  private constructor(password: string | null) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (given, _session, done) =>
        done(given.password === password ? null : new Error("wrong password"), { user: given.username }),
      onData: (stream, { user, envelope }, done) => {
        void text(stream).then((mail) => {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          this.mails.push({ user: String(user), text: mail, from, to: envelope.rcptTo.map(({ address }) => address) });
          done();
        });
      },
    });
  }

  /** @param password that logins need; mail without a login is taken too */
  static async start(password: string | null = null): Promise<MailServer> {
    const mailServer = new MailServer(password);
    mailServer.#server.listen(0, "127.0.0.1");
    await once(mailServer.#server.server, "listening");
    return mailServer;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}
