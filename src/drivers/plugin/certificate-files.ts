/** Certificates as the libraries of plugins look for them: files of the plugin's directory, and variables that name them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import type { KeyPair } from "../plugin-port.ts";
import { writeOwnFile } from "./own-files.ts";

/** Where systems keep the roots that they trust. */
const SYSTEM_ROOTS = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
const PRIVATE = 0o600;

/**
 * @param brokerCaFile by whom the certificate of an external broker is signed; "": of none, or known to the system
 * @returns what the process of the plugin gets in its environment.
 */
export async function writeCertificates(
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
