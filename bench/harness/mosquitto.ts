/** mosquitto, the broker that home automation knows, with one listener on loopback. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "./arrivals.ts";
import type { CertificateFiles } from "./certificate.ts";
import type { Child, Children } from "./children.ts";
import type { Target } from "./https-connection.ts";
import { findProgram, freePort } from "./peer-program.ts";

type RunningMosquitto = Child & { readonly target: Target };

const START_MS = 500;

/** @param certificate of a listener with TLS; null: without. @returns null where mosquitto is not installed. */
export async function startMosquitto(
  children: Children,
  root: string,
  certificate: CertificateFiles | null,
): Promise<RunningMosquitto | null> {
  const command = findProgram("mosquitto");
  if (command === null) return null;
  const target = { host: "127.0.0.1", port: await freePort() };
  const file = join(root, "mosquitto.conf");
  const user = process.getuid?.() === 0 ? ["user root"] : [];
  const lines = [
    ...user,
    `listener ${target.port} ${target.host}`,
    ...(certificate ? [`certfile ${certificate.cert}`, `keyfile ${certificate.key}`] : []),
    "allow_anonymous true",
    "persistence false",
    "set_tcp_nodelay true",
    "log_type error",
    "max_queued_messages 0",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = await children.start({ command, args: ["-c", file], ready: null });
  await pause(START_MS);
  return { ...child, target };
}
