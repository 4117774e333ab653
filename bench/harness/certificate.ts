/** The certificate that peers show: the controller's own (P-256), so that every handshake costs the same. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HomeCopy } from "./homes.ts";

/** Paths of PEM files. */
export type CertificateFiles = { readonly cert: string; readonly key: string };

export function certificateOf(home: HomeCopy): CertificateFiles {
  const secret = (name: string) => join(home.dir, "secrets", name);
  const chain = readFileSync(secret("tls-cert"), "utf8") + readFileSync(secret("ca-cert"), "utf8");
  const cert = join(home.dir, "peer-chain.pem");
  writeFileSync(cert, chain);
  return { cert, key: secret("tls-key") };
}
