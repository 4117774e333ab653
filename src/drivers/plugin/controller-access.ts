/** A plugin's own access to the REST interface: an account that lasts as long as its process, with the rights that the owner chose. */

import type { PluginAccess } from "../plugin-port.ts";

/** The controller's side of the access. */
export type ControllerPorts = {
  readonly accounts: { grant(login: string, role: Exclude<PluginAccess, "none">): string; revoke(login: string): void };
  /** Port of the listener for such accounts; null while it is closed. */
  readonly url: () => string | null;
};

const WILDCARD = /^(?:0\.0\.0\.0|\[::\])$/;

export class ControllerAccess {
  readonly #ports: ControllerPorts;
  readonly #login: string;
  readonly #access: PluginAccess;
  #password: string | null = null;

  constructor(ports: ControllerPorts, slot: number, access: PluginAccess) {
    this.#ports = ports;
    this.#login = `plugin-${slot}`;
    this.#access = access;
  }

  /** Makes the account, if the plugin may have one. @returns what must not be shown. */
  grant(): readonly string[] {
    if (this.#access === "none") return [];
    this.#password = this.#ports.accounts.grant(this.#login, this.#access);
    return [this.#password, Buffer.from(`${this.#login}:${this.#password}`).toString("base64")];
  }

  revoke(): void {
    if (this.#password !== null) this.#ports.accounts.revoke(this.#login);
    this.#password = null;
  }

  /** As plugins read it; null: the plugin may not use the interface. */
  get connection(): object | null {
    const given = this.#ports.url();
    if (this.#password === null || given === null) return null;
    const { hostname, port, protocol } = new URL(given);
    return {
      isy_ip_address: WILDCARD.test(hostname) ? "127.0.0.1" : hostname,
      isy_port: Number(port),
      isy_username: this.#login,
      isy_password: this.#password,
      isy_https: protocol === "https:" ? 1 : 0,
    };
  }
}
