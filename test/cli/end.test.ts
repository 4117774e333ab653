import { execFileSync } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeAuthority } from "../../src/http/make-certificate.ts";
import { systemRandomness } from "../../src/util/randomness.ts";
import { basicHeader } from "../simulation/clients.ts";
import { Crowd } from "../simulation/crowd.ts";
import { DomovoiProcess, type Service, serveArguments, startService } from "../simulation/service-process.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { readLines } from "./lines.ts";

const END_MS_MAX = 5000;
/** So large that its replay fills every buffer on the way to a client that takes nothing. */
const LARGE_HOME = ["--demo", "--still", "--demo-nodes", "5000"];

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("ends it with status 0 within five seconds, with any clients connected", async () => {
    const service = await startService(temporaryDirectory(), LARGE_HOME);
    await using process = service.process;
    const crowd = await Crowd.before(service);
    const followers = await crowd.come(4);
    await Promise.all(followers.map((follower) => follower.until(() => follower.isReplayed)));
    const stalled = await stalledFollower(service);
    const halfAsked = await halfRequest(service);

    const beginMs = performance.now();
    process.signal(signal);
    const { code, signal: endedBy, stderr } = await process.ended;
    expect({ code, endedBy }).toEqual({ code: 0, endedBy: null });
    expect(performance.now() - beginMs).toBeLessThan(END_MS_MAX);
    expect(await Promise.all(followers.map(({ closed }) => closed))).toEqual([1001, 1001, 1001, 1001]);
    expect(readLines(stderr).log.filter(({ level }) => level === "error")).toEqual([]);
    crowd.close();
    stalled.terminate();
    halfAsked.destroy();
  });

  test("in the midst of a start ends it with status 0 too, and the next start is in order", async () => {
    const data = temporaryDirectory();
    const begun = once(watch(data), "change");
    await using child = new DomovoiProcess(serveArguments(data, LARGE_HOME), { env: {} });
    await begun;
    child.signal(signal);
    const { code, stderr } = await child.ended;
    expect(code).toBe(0);
    await using next = new DomovoiProcess(serveArguments(data, LARGE_HOME), { env: {} });
    await next.until(() => next.stdout.includes("ready "));
    // By the start that made the accounts; otherwise the generated credentials would be lost for ever.
    expect(readLines(`${stderr}${next.stderr}`).person).toMatch(/Portal {2}.*\n +Local {3}/);
  });
});

describe("SIGHUP", () => {
  test("shows the certificate of the files as they are now; unreadable ones leave the one before in use", async () => {
    const files = temporaryDirectory();
    const [certificateFile, certificateKeyFile] = [join(files, "chain.pem"), join(files, "key.pem")];
    const [first, second] = [await makePair(), await makePair()];
    const write = ({ cert, key }: Pair) => {
      writeFileSync(certificateFile, cert);
      writeFileSync(certificateKeyFile, key);
    };
    write(first);
    const settings = join(files, "settings.json");
    writeFileSync(settings, JSON.stringify({ certificateFile, certificateKeyFile }));
    const service = await startService(temporaryDirectory(), ["--config", settings]);
    await using process = service.process;
    expect(await shownBy(service)).toEqual([first.fingerprint, first.fingerprint]);

    write(second);
    process.signal("SIGHUP");
    await process.until(() => process.stderr.includes("read again"));
    expect(await shownBy(service)).toEqual([second.fingerprint, second.fingerprint]);

    writeFileSync(certificateFile, "torn");
    process.signal("SIGHUP");
    await process.until(() => process.stderr.includes("cannot be read again"));
    expect(await shownBy(service)).toEqual([second.fingerprint, second.fingerprint]);
  });
});

test("the deploy hook of certbot gives the service a renewed certificate, private to it, without a restart", async () => {
  const [lineage, bin, data] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
  const target = join(temporaryDirectory(), "tls");
  const renew = async (pid: number | null) => {
    const { cert, key, fingerprint } = await makePair();
    writeFileSync(join(lineage, "fullchain.pem"), cert, { mode: 0o644 });
    writeFileSync(join(lineage, "privkey.pem"), key, { mode: 0o600 });
    writeFileSync(join(bin, "systemctl"), `#!/bin/sh\n${pid === null ? "true" : `kill -HUP ${pid}`}\n`, {
      mode: 0o755,
    });
    const PATH = `${bin}:${process.env.PATH}`;
    const DOMOVOI_SERVICE_USER = String(process.getuid?.());
    const env = { PATH, DOMOVOI_SERVICE_USER, DOMOVOI_TLS_DIRECTORY: target, RENEWED_LINEAGE: lineage };
    execFileSync(HOOK, { env });
    return fingerprint;
  };
  const first = await renew(null);
  expect(statSync(join(target, "privkey.pem")).mode & 0o777).toBe(0o600);
  const settings = join(data, "settings.json");
  const [certificateFile, certificateKeyFile] = [join(target, "fullchain.pem"), join(target, "privkey.pem")];
  writeFileSync(settings, JSON.stringify({ certificateFile, certificateKeyFile }));
  const service = await startService(join(data, "home"), ["--config", settings]);
  await using child = service.process;
  expect(await shownBy(service)).toEqual([first, first]);
  const second = await renew(child.pid);
  await child.until(() => child.stderr.includes("read again"));
  expect(await shownBy(service)).toEqual([second, second]);
});

const HOOK = join(import.meta.dirname, "../../packaging/certbot-deploy-hook");

type Pair = { readonly cert: string; readonly key: string; readonly fingerprint: string };

async function makePair(): Promise<Pair> {
  const encoding = { privateKeyEncoding: { type: "pkcs8", format: "pem" } } as const;
  const publicKeyEncoding = { type: "spki", format: "pem" } as const;
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256", publicKeyEncoding, ...encoding });
  const cert = await makeAuthority(key, { nowMs: Date.now(), randomness: systemRandomness });
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
}

/** The certificates that both listeners present to a new connection. */
function shownBy({ portalUrl, localUrl }: Service): Promise<readonly string[]> {
  return Promise.all(
    [portalUrl, localUrl].map(async (url) => {
      const socket = await tlsSocket(url);
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    }),
  );
}

function tlsSocket(url: string) {
  const { hostname: host, port } = new URL(url);
  return new Promise<ReturnType<typeof connect>>((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () => resolve(socket));
    socket.on("error", reject);
  });
}

async function stalledFollower({ localUrl }: Service): Promise<WebSocket> {
  const url = `${localUrl.replace("https", "wss")}/rest/subscribe`;
  const socket = new WebSocket(url, { headers: basicHeader(), rejectUnauthorized: false });
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("open", resolve));
  socket.pause();
  return socket;
}

/** A request whose body never comes to its end. */
async function halfRequest({ portalUrl }: Service) {
  const socket = await tlsSocket(portalUrl);
  socket.write(
    "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  return socket;
}
