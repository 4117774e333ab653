/**
 * The certificate authority of the plugin broker. It signs the broker's certificate and those of clients. A client's
 * key is generated for each request and not stored here.
 */

import type { Config } from "../config.ts";
import { type KeyPair, type PluginAuthority, SESSION_CLIENT } from "../drivers/plugin-port.ts";
import type { Integrations } from "../integrations/integrations.ts";
import { makePrivateKey } from "../util/private-key.ts";
import { type CertificateParts, keepAuthority, makingAt } from "./tls.ts";

const SECRET = "plugin-ca";
const BROKER = ["127.0.0.1", "localhost"];

export function createPluginAuthority({
  accounts,
  clock,
  randomness,
}: Pick<CertificateParts, "accounts" | "clock" | "randomness">): PluginAuthority {
  const sign = async (leaf: {
    readonly subject?: string;
    readonly usage: "server" | "client";
    names: string[];
  }): Promise<KeyPair> => {
    // Plugins start before a machine without a clock of its own knows the time, and run on when it is set.
    const making = { ...makingAt(clock, randomness), isTimeless: true };
    const { caKeyPem, caPem } = await keepAuthority(SECRET, accounts, making);
    const { makeLeaf } = await import("./make-certificate.ts");
    const key = makePrivateKey();
    return { key, cert: await makeLeaf({ ...leaf, keyPem: key, caKeyPem, caPem }, making), ca: caPem };
  };
  return {
    broker: () => sign({ usage: "server", names: BROKER }),
    client: (subject) => sign({ subject, usage: "client", names: [] }),
  };
}

/** Key and certificate for the login of a session at the plugin broker. Empty without plugins, and with an external broker. */
export async function keysOfSession(
  config: Pick<Config, "pluginBrokerUrl">,
  { integrations, authority }: { readonly integrations: Integrations; readonly authority: PluginAuthority },
  sessionId: string,
): Promise<Readonly<Record<string, string>>> {
  if (config.pluginBrokerUrl !== "") return {};
  const hasPlugins = integrations.list().some(({ type, enabled }) => type === "plugin" && enabled);
  return hasPlugins ? authority.client(SESSION_CLIENT + sessionId) : {};
}
