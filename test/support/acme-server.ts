/**
 * A real ACME server: Pebble of Let's Encrypt, with a DNS server of which a test sets the records. Both are in Debian's package
 * `pebble`. It refuses some nonces by chance, as its authors mean it to.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeAuthority, makeLeaf } from "../../src/http/make-certificate.ts";
import { makePrivateKey } from "../../src/util/private-key.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { installProgram } from "./debian-package.ts";
import { endWithUs } from "./ends-with-us.ts";

type AcmeServer = {
  readonly directoryUrl: string;
  /** Where it looks for answers to HTTP-01 challenges; every name leads to this machine. */
  readonly httpPort: number;
  /** Sets and removes records of the DNS server, for the setting acmeDnsCommand. */
  readonly dnsCommand: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the DNS server too. */
  end(): Promise<void>;
};

const PEBBLE = "/usr/bin/pebble";

/** null where Pebble is not installed and cannot be. */
export async function startAcmeServer(validityS: number): Promise<AcmeServer | null> {
  if (!installProgram(PEBBLE, "pebble")) return null;
  const directory = mkdtempSync(join(tmpdir(), "domovoi-acme-"));
  const [port, management, dns, dnsManagement, httpPort, tlsPort] = (await freePorts(6)) as [
    ...[number, number, number, number, number, number],
  ];
  await makeListenerCertificate(directory);
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(directory, "cert.pem"),
    privateKey: join(directory, "key.pem"),
    certificateValidityPeriod: validityS,
    httpPort,
    tlsPort,
  };
  writeFileSync(join(directory, "pebble.json"), JSON.stringify({ pebble: settings }));
  const names = ["-dns01", `127.0.0.1:${dns}`, "-management", `127.0.0.1:${dnsManagement}`, "-defaultIPv6", ""];
  const others = ["-http01", "", "-https01", "", "-tlsalpn01", ""];
  const dnsServer = run("/usr/bin/pebble-challtestsrv", [...names, ...others]);
  let pebble: ChildProcess | null = null;
  const server: AcmeServer = {
    directoryUrl: `https://localhost:${port}/dir`,
    httpPort,
    dnsCommand: writeDnsCommand(directory, dnsManagement),
    async start() {
      pebble = run(PEBBLE, ["-config", join(directory, "pebble.json"), "-dnsserver", `127.0.0.1:${dns}`]);
      while (!(await fetch(server.directoryUrl).catch(() => null))?.ok) await new Promise((next) => setImmediate(next));
    },
    async stop() {
      pebble?.kill();
      if (pebble) await once(pebble, "exit");
    },
    async end() {
      dnsServer.kill();
      await server.stop();
      rmSync(directory, { recursive: true });
    },
  };
  await server.start();
  return server;
}

function run(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, PEBBLE_VA_NOSLEEP: "1" } });
  endWithUs(child);
  return child;
}

/** The URL of an authority that this process trusts from now on. */
async function makeListenerCertificate(directory: string): Promise<void> {
  const making = { nowMs: Date.now(), randomness: systemRandomness };
  const [caKeyPem, keyPem] = [makePrivateKey(), makePrivateKey()];
  const caPem = await makeAuthority(caKeyPem, making);
  const leaf = await makeLeaf({ keyPem, caKeyPem, caPem, usage: "server", names: ["localhost"] }, making);
  writeFileSync(join(directory, "cert.pem"), leaf);
  writeFileSync(join(directory, "key.pem"), keyPem);
  setDefaultCACertificates([...getCACertificates("default"), caPem]);
}

/** With the arguments that a script of a person gets. */
function writeDnsCommand(directory: string, managementPort: number): string {
  const path = join(directory, "dns-command");
  const script = `#!/usr/bin/env node
const [, , action, host, value] = process.argv;
const [path, body] = action === "present" ? ["set-txt", { host, value }] : ["clear-txt", { host }];
fetch("http://127.0.0.1:${managementPort}/" + path, { method: "POST", body: JSON.stringify(body) }).then(({ ok }) => process.exit(ok ? 0 : 1));
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

/** Free at this moment, for programs that take no 0. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
