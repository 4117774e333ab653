/** nginx serving prepared bytes from memory over TLS with one worker, with and without their gzip form. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pause } from "./arrivals.ts";
import type { CertificateFiles } from "./certificate.ts";
import type { Child, Children } from "./children.ts";
import { HttpsConnection, type Target } from "./https-connection.ts";
import { findProgram, freePort } from "./peer-program.ts";

/** A document: path without query, its bytes, and its gzip form where the service has one. */
export type StaticDocument = {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzip: Buffer | null;
};

type RunningNginx = Child & { readonly target: Target };

const START_MS = 5000;

/** @param root empty directory, best in memory. @returns null where nginx is not installed. */
export async function startNginx(
  children: Children,
  root: string,
  certificate: CertificateFiles,
  documents: readonly StaticDocument[],
): Promise<RunningNginx | null> {
  const command = findProgram("nginx");
  if (command === null) return null;
  layOut(root, documents);
  const target = { host: "127.0.0.1", port: await freePort() };
  const file = join(root, "nginx.conf");
  writeFileSync(file, configuration(root, target, certificate));
  const args = ["-p", root, "-c", file, "-e", join(root, "error.log")];
  const child = await children.start({ command, args, ready: null });
  await untilOpen(target);
  return { ...child, target };
}

/** @returns the files' paths, below `files` in the root: `PATH.document`, and `PATH.document.gz` where there is a gzip form. */
export function layOut(root: string, documents: readonly StaticDocument[]): readonly string[] {
  return documents.flatMap(({ path, body, gzip }) => {
    const file = join(root, "files", `${path}.document`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
    if (gzip) writeFileSync(`${file}.gz`, gzip);
    return gzip ? [file, `${file}.gz`] : [file];
  });
}

/** One process, so that its processor time is all there is and it can be ended by its id. */
function configuration(root: string, { host, port }: Target, { cert, key }: CertificateFiles): string {
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${root}/tmp;`);
  return `
daemon off;
master_process off;
worker_processes 1;
pid ${root}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${scratch.join("\n  ")}
  default_type application/json;
  keepalive_requests 1000000;
  keepalive_timeout 75s;
  tcp_nodelay on;
  open_file_cache max=100 inactive=600s;
  open_file_cache_valid 600s;
  gzip_static on;
  gzip_vary on;
  server {
    listen ${host}:${port} ssl;
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    ssl_protocols TLSv1.2 TLSv1.3;
    root ${root}/files;
    location / { try_files $uri.document =404; }
  }
}
`;
}

async function untilOpen(target: Target): Promise<void> {
  const lateMs = performance.now() + START_MS;
  for (;;) {
    const connection = new HttpsConnection(target);
    try {
      await connection.opened();
      return;
    } catch (error) {
      if (performance.now() > lateMs) throw error;
      await pause(20);
    } finally {
      connection.close();
    }
  }
}
