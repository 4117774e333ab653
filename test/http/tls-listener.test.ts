/** Faults that only a listener with TLS can have. */

import { generateKeyPairSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, test } from "vitest";
import { makeAuthority, makeLeaf } from "../../src/http/make-certificate.ts";
import type { Source } from "../../src/http/request/fair-queue.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { exchangeRaw, head, openFakeListener, readUntil, statusOf } from "./fake-services.ts";

async function makePair(seed: number): Promise<{ key: string; cert: string }> {
  const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = String(keyPair.privateKey.export({ type: "pkcs8", format: "pem" }));
  const making = { nowMs: Date.UTC(2026, 4, 2), randomness: seededRandomness(seed) };
  const caPem = await makeAuthority(key, making);
  // TLS 1.2 does not accept the certificate of a CA as that of a server.
  return { key, cert: await makeLeaf({ keyPem: key, caKeyPem: key, caPem, usage: "server", names: [] }, making) };
}

const closed = (socket: Socket) =>
  new Promise<void>(
    (resolve) =>
      void socket
        .resume()
        .on("error", () => {})
        .once("close", () => resolve()),
  );

const fingerprint = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on("error", reject);
  });

describe("a connection that never becomes one", () => {
  test("is cut when no handshake comes, and when nothing comes after it", async () => {
    await using context = await openFakeListener({ tls: await makePair(1), config: { idleFirstRequestMs: 1000 } });
    const silent = Array.from({ length: 50 }, () => connect(context.port, "127.0.0.1"));
    const shaken = Array.from({ length: 5 }, () =>
      connectTls({ port: context.port, host: "127.0.0.1", rejectUnauthorized: false }),
    );
    await Promise.all([...silent, ...shaken].map(closed));
  });

  test("does not hold up the end", async () => {
    const context = await openFakeListener({ tls: await makePair(1) });
    const silent = connect(context.port, "127.0.0.1");
    await new Promise((resolve) => silent.once("connect", resolve));
    const gone = closed(silent);
    await context.stop();
    await gone;
  });

  test("is closed when it speaks plain HTTP or nonsense", async () => {
    await using context = await openFakeListener({ tls: await makePair(1) });
    expect(await exchangeRaw(context.port, head("GET /rest/echo"))).not.toContain("HTTP/1.1 200");
    expect(await exchangeRaw(context.port, Buffer.alloc(100, 7))).not.toContain("HTTP/1.1 200");
    expect(context.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("new connections wait for their turn", () => {
  /** The queue of each of these consecutive connections with these credentials. */
  async function turnsOf(credentials: readonly string[], config = {}): Promise<readonly string[]> {
    const turns: string[] = [];
    const onTurn = ({ kind, id }: Source) => turns.push(`${kind} ${id}`);
    await using context = await openFakeListener({ tls: await makePair(1), config, onTurn });
    for (const authorization of credentials) {
      const socket = connectTls({ port: context.port, host: "127.0.0.1", rejectUnauthorized: false });
      socket.write(head("GET /rest/echo", { Authorization: authorization }));
      await readUntil(socket);
    }
    return turns;
  }

  const address = "address 127.0.0.1";
  const known = "account new connections of a1";

  test("with all of their address until one has shown credentials there", async () => {
    expect(await turnsOf(["bad", "bad"])).toEqual([address, address, address, address]);
  });

  test("with the account that used the address, so that no crowd of addresses holds it up", async () => {
    expect(await turnsOf(["good", "good", "bad"])).toEqual([address, address, known, known, known, known]);
  });

  test("with all of their address behind a proxy", async () => {
    const config = { trustedProxies: ["127.0.0.1"] };
    expect(await turnsOf(["good", "good"], config)).toEqual([address, address, address, address]);
  });
});

describe("a renegotiation is refused, and others go on", () => {
  /** The outcome for a client that names this host. */
  const renegotiated = (port: number, servername?: string) =>
    new Promise<string>((resolve) => {
      const options = { port, host: "127.0.0.1", rejectUnauthorized: false, maxVersion: "TLSv1.2" } as const;
      const socket = connectTls({ ...options, ...(servername && { servername }) }, () => {
        socket.renegotiate({ rejectUnauthorized: false }, () => resolve("done"));
      });
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code))).resume();
    });
  const refused = "ERR_SSL_NO_RENEGOTIATION";

  test("with the first certificate", async () => {
    await using context = await openFakeListener({ tls: await makePair(1) });
    expect(await renegotiated(context.port)).toBe(refused);
    expect(await fingerprint(context.port)).toMatch(/^[\dA-F:]+$/);
  });

  test("with a later certificate, and with one for some hosts", async () => {
    const [first, second, third] = [await makePair(1), await makePair(2), await makePair(3)];
    await using context = await openFakeListener({ tls: first });
    context.setCertificate({ ...second, certified: { ...third, names: ["home.test"] } });
    expect(await renegotiated(context.port)).toBe(refused);
    expect(await renegotiated(context.port, "home.test")).toBe(refused);
  });
});

test("the preface of HTTP/2 ends its connection", async () => {
  await using context = await openFakeListener({ tls: await makePair(1) });
  const socket = connectTls({ port: context.port, host: "127.0.0.1", rejectUnauthorized: false });
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00");
  const answer = readUntil(socket);
  expect(await answer).not.toContain("HTTP/1.1 200");
});

test("a new certificate is shown to new connections, and old ones go on", async () => {
  const [first, second] = [await makePair(1), await makePair(2)];
  await using context = await openFakeListener({ tls: first });
  const old = connectTls({ port: context.port, host: "127.0.0.1", rejectUnauthorized: false });
  await new Promise((resolve) => old.once("secureConnect", resolve));
  const before = await fingerprint(context.port);
  context.setCertificate(second);
  expect(await fingerprint(context.port)).not.toBe(before);
  old.write(head("GET /rest/echo"));
  expect(statusOf(await readUntil(old))).toBe(200);
});

test("browsers must insist on TLS only with the owner's certificate", async () => {
  for (const certificateFile of ["", "owner.pem"]) {
    await using context = await openFakeListener({ tls: await makePair(1), config: { certificateFile } });
    const socket = connectTls({ port: context.port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.write(head("GET /rest/echo"));
    expect((await readUntil(socket)).includes("Strict-Transport-Security")).toBe(certificateFile !== "");
  }
});

test("TLS 1.2 is spoken with authenticated encryption alone", async () => {
  await using context = await openFakeListener({ tls: await makePair(1) });
  const offered = (ciphers: string) =>
    new Promise<string>((resolve) => {
      const options = {
        port: context.port,
        host: "127.0.0.1",
        rejectUnauthorized: false,
        maxVersion: "TLSv1.2",
        ciphers,
      } as const;
      const socket = connectTls(options, () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      }).on("error", () => resolve("refused"));
    });
  for (const good of [
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
  ])
    expect(await offered(good)).toBe(good);
  for (const weak of ["ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA", "ECDHE-ECDSA-AES128-SHA"])
    expect(await offered(weak)).toBe("refused");
});
