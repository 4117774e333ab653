/** The login by a first message, for web pages: a browser cannot put a header on the upgrade of a WebSocket. */

import type { Auth } from "../auth/auth.ts";
import { roleAllows } from "../auth/policy.ts";
import type { Principal } from "../auth/principal.ts";
import { ControllerError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { readForeignJson } from "../util/foreign-value.ts";
import { isRecord } from "../util/is-record.ts";
import { CLOSE, type Connection } from "./connection.ts";

type LoginPorts = {
  readonly auth: Pick<Auth, "verifyAccessToken">;
  readonly clock: Clock;
  /** Milliseconds in which the message must arrive. */
  readonly timeoutMs: number;
};

export class LoginWait {
  readonly #ports: LoginPorts;
  readonly #connection: Connection;
  readonly #onLogin: (principal: Principal) => void;
  #state: "waiting" | "checking" | "over" = "waiting";
  #timer: Timer | null = null;

  /** @param onLogin called once, with someone who may subscribe, while the connection is open. */
  constructor(ports: LoginPorts, connection: Connection, onLogin: (principal: Principal) => void) {
    this.#ports = ports;
    this.#connection = connection;
    this.#onLogin = onLogin;
  }

  start(): void {
    this.#timer = this.#ports.clock.setTimer(
      () => this.#refuse("No login was received in time."),
      this.#ports.timeoutMs,
    );
  }

  /** Takes the first message; further ones mean nothing. @param text null for a binary message. */
  offer(text: string | null): void {
    if (this.#state !== "waiting") return;
    const token = text === null ? null : readToken(text);
    if (token === null) {
      this.#refuse("The first message is the login.");
      return;
    }
    this.#state = "checking";
    this.#ports.auth.verifyAccessToken(token).then(
      (principal) => this.#accept(principal),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The connection is gone, or need not wait any more. */
  end(): void {
    this.#state = "over";
    this.#timer?.cancel();
  }

  #accept(principal: Principal): void {
    if (this.#state === "over") return;
    if (!roleAllows(principal.role, "subscribe")) {
      this.#refuse("Your role does not allow this.");
      return;
    }
    this.end();
    this.#onLogin(principal);
  }

  #fail(error: unknown): void {
    if (this.#state === "over") return;
    this.end();
    const isRefused = error instanceof ControllerError && error.status < 500;
    if (isRefused) this.#connection.close(CLOSE.policy, "The token was refused.");
    else this.#connection.close(CLOSE.tryAgainLater, "The login could not be checked.");
  }

  #refuse(reason: string): void {
    this.end();
    this.#connection.close(CLOSE.policy, reason);
  }
}

/** Both spellings in use: `{"auth":{"token":…}}` and `{"type":"auth","creds":{"token":…}}`. */
function readToken(text: string): string | null {
  const message = readObject(text);
  const credentials = message?.auth ?? (message?.type === "auth" ? message.creds : null);
  const token = isRecord(credentials) ? credentials.token : null;
  return typeof token === "string" && token !== "" ? token : null;
}

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  const message = readForeignJson(text);
  return isRecord(message) ? message : null;
}
