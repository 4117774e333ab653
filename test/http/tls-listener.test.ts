/** Faults that only a listener with TLS can have. */

import { generateKeyPairSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, test } from "vitest";
import { makeAuthority } from "../../src/http/make-certificate.ts";
import type { Source } from "../../src/http/request/fair-queue.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { exchangeRaw, head, openFakeListener, readUntil, statusOf } from "./fake-services.ts";

async function makePair(seed: number): Promise<{ key: string; cert: string }> {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });
  const cert = await makeAuthority(String(key), { nowMs: Date.UTC(2026, 4, 2), randomness: seededRandomness(seed) });
  return { key: String(key), cert };
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

test("a renegotiation is refused, and others go on", async () => {
  await using context = await openFakeListener({ tls: await makePair(1) });
  const options = { port: context.port, host: "127.0.0.1", rejectUnauthorized: false, maxVersion: "TLSv1.2" } as const;
  const refused = Promise.withResolvers<string>();
  const socket = connectTls(options, () => {
    socket.renegotiate({ rejectUnauthorized: false }, (error) => refused.resolve(error ? "refused" : "done"));
  });
  socket.on("error", () => refused.resolve("refused")).on("close", () => refused.resolve("refused"));
  expect(await refused.promise).toBe("refused");
  socket.destroy();
  expect(await fingerprint(context.port)).toMatch(/^[\dA-F:]+$/);
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
