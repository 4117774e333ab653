/**
 * Sign-in of a plugin at another company's service (OAuth 2.0, RFC 6749 section 4.1). The owner's browser opens the service's page
 * and returns to the controller with a code. The controller exchanges the code for tokens and sends them to the plugin.
 */

import { badValue, ControllerError } from "../../errors.ts";
import { hostAndPort, readAnswer, sendChecked } from "../../util/checked-request.ts";
import type { Clock } from "../../util/clock.ts";
import { foreignText, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { ownAddresses, parseTargets, type TargetRules } from "../../util/network-target.ts";
import type { Randomness } from "../../util/randomness.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import type { PluginData } from "./plugin-data.ts";

type SignInPorts = {
  readonly slot: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly data: Pick<PluginData, "record">;
  readonly networkTargets: readonly string[];
  send(tokens: Readonly<Record<string, unknown>>): void;
};

type Begun = { readonly state: string; readonly redirectUrl: string; readonly untilMs: number };
type Settings = Readonly<Record<string, unknown>>;

/** The key under which the settings are stored. Plugins read and change them, too. */
const SETTINGS = "oauth";
const STATE_BYTES = 24;
/** Within this time the owner has to sign in. */
const SIGN_IN_MS = 600_000;
const EXCHANGE_MS = 10_000;
const ANSWER_BYTES_MAX = 65_536;
/** The library for Python fails without a time. */
const NO_EXPIRY_S = 31_536_000;

export class OAuthSignIn {
  readonly #ports: SignInPorts;
  #begun: Begun | null = null;

  constructor(ports: SignInPorts) {
    this.#ports = ports;
  }

  /**
   * @param redirectUrl where the service sends the browser afterwards; it has to be registered there.
   * @returns the page of the service that the owner opens.
   * @throws ControllerError BAD_VALUE
   */
  begin(redirectUrl: string): string {
    const { slot, clock, randomness } = this.#ports;
    const settings = this.#settings();
    const state = `${slot}.${randomness.bytes(STATE_BYTES).toString("base64url")}`;
    const page = this.#endpoint(settings, "auth_endpoint");
    const own = { client_id: settings.client_id, response_type: "code", redirect_uri: redirectUrl, state };
    setAll(page.searchParams, { scope: settings.scope, ...own, ...recordOf(settings.parameters) });
    this.#begun = { state, redirectUrl, untilMs: clock.elapsed() + SIGN_IN_MS };
    return page.href;
  }

  /**
   * @param state as the browser brings it; each works once.
   * @param code null: the service sent none
   * @throws ControllerError PLUGIN_NOT_FOUND for a wrong state, DRIVER_UNAVAILABLE, BAD_VALUE when the service refuses the code
   */
  async finish(state: string, code: string | null, isConnected: boolean): Promise<void> {
    const begun = this.#begun;
    if (!begun || this.#ports.clock.elapsed() > begun.untilMs || !isSameSecret(state, begun.state)) {
      throw new ControllerError("PLUGIN_NOT_FOUND");
    }
    if (!isConnected) throw new ControllerError("DRIVER_UNAVAILABLE", "The plugin is not connected.");
    if (code === null) throw badValue("The service ended the sign-in without a code.");
    this.#begun = null;
    const tokens = await this.#exchange(code, begun.redirectUrl);
    this.#ports.send({ expires_in: NO_EXPIRY_S, ...tokens });
  }

  async #exchange(code: string, redirectUrl: string): Promise<Settings> {
    const settings = this.#settings();
    const { client_id, client_secret, scope, addScope } = settings;
    const form = new URLSearchParams();
    setAll(form, { grant_type: "authorization_code", code, redirect_uri: redirectUrl, client_id, client_secret });
    if (addScope !== false) setAll(form, { scope });
    setAll(form, recordOf(settings.token_parameters));
    const abort = new AbortController();
    const timer = this.#ports.clock.setTimer(() => abort.abort(), EXCHANGE_MS);
    try {
      const answer = await sendChecked(this.#endpoint(settings, "token_endpoint"), {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
        body: Buffer.from(form.toString()),
        rules: this.#rules(),
        signal: abort.signal,
      });
      const tokens = parsed(await readAnswer(answer, ANSWER_BYTES_MAX));
      if (answer.statusCode === 200 && typeof tokens.access_token === "string") return tokens;
      const reason = typeof tokens.error === "string" ? tokens.error : `status ${answer.statusCode}`;
      throw badValue(`The service refused the sign-in: ${reason}.`);
    } catch (error) {
      if (error instanceof ControllerError) throw error;
      throw badValue("The service's token endpoint cannot be reached.", error);
    } finally {
      timer.cancel();
    }
  }

  #settings(): Settings {
    const settings = this.#ports.data.record(SETTINGS);
    const missing = ["auth_endpoint", "token_endpoint", "client_id"].filter(
      (name) => typeof settings[name] !== "string",
    );
    if (missing.length === 0) return settings;
    throw badValue(`The plugin's OAuth settings (the stored value "${SETTINGS}") lack ${missing.join(", ")}.`);
  }

  /** Encrypted, unless the owner has listed the machine. */
  #endpoint(settings: Settings, name: string): URL {
    const url = URL.parse(foreignText(settings[name]));
    if (url?.protocol === "https:") return url;
    if (url?.protocol === "http:") {
      const { host, port } = hostAndPort(url);
      if (this.#rules().targets.allows(host, host, port)) return url;
    }
    throw badValue(
      `The ${name} of the plugin's OAuth settings is no https:// address. Addresses with http:// are allowed for machines of the setting networkTargets.`,
    );
  }

  #rules(): TargetRules {
    return { targets: parseTargets(this.#ports.networkTargets), ownAddresses: ownAddresses() };
  }
}

function setAll(parameters: URLSearchParams, values: Settings): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, foreignText(value));
  }
}

function recordOf(value: unknown): Settings {
  return isRecord(value) ? value : {};
}

function parsed(body: Buffer | null): Settings {
  return recordOf(readForeignJson(String(body)));
}
