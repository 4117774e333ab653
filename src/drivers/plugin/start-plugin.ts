/** Starts the process of a plugin with its identity, the address of the broker and its certificates, as the libraries of plugins expect them. */

import type { Clock } from "../../util/clock.ts";
import type { PluginAuthority } from "../plugin-port.ts";
import type { BrokerLogin } from "./broker.ts";
import { writeCertificates } from "./certificate-files.ts";
import { type Confining, confined } from "./confinement.ts";
import type { Manifest } from "./manifest.ts";
import { PluginProcess } from "./plugin-process.ts";
import { plainEnvironment, startCommand } from "./requirements.ts";

/** Plugins compare it as dotted numbers; from 3.4.5 on they send definitions as JSON. */
const HOST_VERSION = "3.4.9";
const INTERFACE_VERSION = "6.0.5";

export type StartOptions = {
  readonly slot: number;
  readonly directory: string;
  /** The controller's data directory. */
  readonly data: string;
  /** Identity of the controller, as in documents. */
  readonly uuid: string;
  /** The certificate with which Node plugins check the controller's listeners, PEM. */
  readonly listenerAuthority: () => Promise<string>;
  readonly authority: Pick<PluginAuthority, "client">;
  readonly limits: Confining["limits"] & { readonly pluginBrokerCaFile: string };
};

/** Base64 of JSON, as the plugin gets it in its environment. */
export function encodedInit(
  token: string,
  broker: Pick<BrokerLogin, "host" | "port">,
  { logLevel }: Manifest,
  { uuid, slot }: StartOptions,
): string {
  const init = {
    uuid,
    profileNum: slot,
    logLevel,
    token,
    mqttHost: broker.host,
    mqttPort: broker.port,
    secure: 1,
    pg3Version: HOST_VERSION,
    isyVersion: INTERFACE_VERSION,
    edition: "Standard",
    isPG3x: true,
  };
  return Buffer.from(JSON.stringify(init)).toString("base64");
}

export async function startPlugin(
  id: string,
  init: string,
  manifest: Manifest,
  options: StartOptions,
  clock: Clock,
): Promise<{ readonly process: PluginProcess; readonly isSandboxed: boolean }> {
  const { directory, limits, authority, listenerAuthority } = options;
  const { command, args, isSandboxed } = await confined(startCommand({ directory, manifest }), options);
  const pair = await authority.client(id);
  const ca = await listenerAuthority();
  const certificates = await writeCertificates(directory, id, pair, ca, limits.pluginBrokerCaFile);
  const env = { ...plainEnvironment(directory), PG3INIT: init, ...certificates };
  return { process: await PluginProcess.start(command, args, { directory, env, clock }), isSandboxed };
}
