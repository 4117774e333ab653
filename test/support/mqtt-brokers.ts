/** Message brokers that the controller does not run: mosquitto where it is installed, and aedes, which knows MQTT 3.1.1 only. */

import { type ChildProcess, spawn } from "node:child_process";
import { pbkdf2Sync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer as listen, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createServer } from "node:tls";
import { Aedes } from "aedes";

export type RunningBroker = { stop(signal?: NodeJS.Signals): Promise<void> };
type BrokerCertificates = {
  /** The broker's own, PEM. */
  readonly key: string;
  readonly cert: string;
  /** By which its clients' certificates are signed. */
  readonly clientCa: string;
};
type StartBroker = (port: number, certificates: BrokerCertificates) => Promise<RunningBroker>;

const START_MS = 10_000;
/** Undefined where it is not installed. */
export const MOSQUITTO = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"].find(existsSync);
const RULES = [
  ...["system", "custom", "command", "status", "portal"].map((kind) => `pattern write udi/pg3/ns/${kind}/%u`),
  "pattern write udi/pg3/connections/ns/%u",
];
/** As docs/operations.md has them. */
const ACL = ["user domovoi", "topic readwrite udi/pg3/#", "pattern read udi/pg3/ns/clients/%u", ...RULES].join("\n");

/** By the name for a test. */
export const BROKERS: readonly (readonly [string, StartBroker])[] = [
  ["one of version 3.1.1", startAedes],
  ...(MOSQUITTO === undefined ? [] : ([["mosquitto", startMosquitto]] as const)),
];

async function startAedes(port: number, { key, cert, clientCa }: BrokerCertificates): Promise<RunningBroker> {
  const aedes = await Aedes.createBroker();
  const server = createServer({ key, cert, ca: clientCa, requestCert: true }, aedes.handle);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { stop: () => stopAedes(aedes, server) };
}

async function stopAedes(aedes: Aedes, server: Server): Promise<void> {
  await new Promise<void>((resolve) => aedes.close(resolve));
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

function startMosquitto(port: number, { key, cert, clientCa }: BrokerCertificates): Promise<RunningBroker> {
  const lines = [
    `listener ${port} 127.0.0.1`,
    "cafile ca.pem",
    "certfile cert.pem",
    "keyfile key.pem",
    "acl_file acl",
    "require_certificate true",
    "use_identity_as_username true",
  ];
  return runMosquitto(port, lines, { "ca.pem": clientCa, "cert.pem": cert, "key.pem": key, acl: ACL });
}

/** In a directory of its own, which holds the files that the lines name. */
async function runMosquitto(
  port: number,
  lines: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<RunningBroker> {
  const directory = await mkdtemp(join(tmpdir(), "domovoi-mosquitto-"));
  const root = process.getuid?.() === 0 ? ["user root"] : [];
  const all = { ...files, "mosquitto.conf": [...root, ...lines, "persistence false"].join("\n") };
  await Promise.all(Object.entries(all).map(([name, text]) => writeFile(join(directory, name), text)));
  const options = { stdio: "ignore", cwd: directory } as const;
  const child: ChildProcess = spawn(String(MOSQUITTO), ["-c", "mosquitto.conf"], options);
  for (const giveUpMs = Date.now() + START_MS; !(await accepts(port)) && Date.now() < giveUpMs; ) await pause(50);
  return {
    stop: async (signal) => {
      child.kill(signal);
      await new Promise((resolve) => child.once("exit", resolve));
      await rm(directory, { recursive: true });
    },
  };
}

/** A broker without accounts and certificates: mosquitto where it is installed. */
export async function startPlainBroker(port: number): Promise<RunningBroker> {
  if (MOSQUITTO !== undefined) return runMosquitto(port, [`listener ${port} 127.0.0.1`, "allow_anonymous true"], {});
  const aedes = await Aedes.createBroker();
  const server = listen(aedes.handle);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { stop: () => stopAedes(aedes, server) };
}

/**
 * mosquitto with a certificate, an account and rules, and what ends it without a word.
 *
 * @param acl rules of the account `home`
 */
export async function startGuardedBroker(
  port: number,
  { key, cert }: Pick<BrokerCertificates, "key" | "cert">,
  password: string,
  acl: readonly string[],
): Promise<RunningBroker> {
  const salt = randomBytes(12);
  const hash = pbkdf2Sync(password, salt, 101, 64, "sha512");
  const account = `home:$7$101$${salt.toString("base64")}$${hash.toString("base64")}\n`;
  const files = { "cert.pem": cert, "key.pem": key, passwords: account, acl: ["user home", ...acl, ""].join("\n") };
  const lines = [
    `listener ${port} 127.0.0.1`,
    "certfile cert.pem",
    "keyfile key.pem",
    "password_file passwords",
    "acl_file acl",
  ];
  return runMosquitto(port, lines, files);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
