/** Starts the process of a plugin with its identity, the address of the broker and its certificates, as the libraries of plugins expect them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import type { Clock } from "../../util/clock.ts";
import type { KeyPair, PluginAuthority } from "../plugin-port.ts";
import type { BrokerLogin } from "./broker.ts";
import { type Confining, confined } from "./confinement.ts";
import type { Manifest } from "./manifest.ts";
import { writeOwnFile } from "./own-files.ts";
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

/** Where systems keep the roots that they trust. */
const SYSTEM_ROOTS = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
const PRIVATE = 0o600;

/**
 * Certificates as the libraries of plugins look for them: files of the plugin's directory, and variables that name them.
 * @param brokerCaFile by whom the certificate of an external broker is signed; "": of none, or known to the system
 * @returns what the process of the plugin gets in its environment.
 */
async function writeCertificates(
  directory: string,
  id: string,
  { key, cert, ca }: KeyPair,
  listenerAuthority: string,
  brokerCaFile: string,
): Promise<NodeJS.ProcessEnv> {
  const name = id.replaceAll(":", "");
  const [listenerFile, bundleFile] = [join(".domovoi", "ca.pem"), join(".domovoi", "roots.pem")];
  await writeOwnFile(directory, `${name}.cert`, cert);
  await writeOwnFile(directory, `${name}.key`, key, PRIVATE);
  await writeOwnFile(directory, listenerFile, listenerAuthority);
  // Python takes this file in place of the system's, and plugins call services of other companies.
  const brokerCa = brokerCaFile === "" ? ca : await readFile(brokerCaFile, "utf8");
  await writeOwnFile(directory, bundleFile, `${await systemRoots()}\n${brokerCa}`);
  return { NODE_EXTRA_CA_CERTS: join(directory, listenerFile), SSL_CERT_FILE: join(directory, bundleFile) };
}

async function systemRoots(): Promise<string> {
  for (const file of [process.env.SSL_CERT_FILE ?? "", ...SYSTEM_ROOTS]) {
    const text = file === "" ? "" : await readFile(file, "utf8").catch(() => "");
    if (text !== "") return text;
  }
  return rootCertificates.join("\n");
}
