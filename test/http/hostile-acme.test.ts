/** A hostile ACME directory: bounded memory, and an error in plain words. */

import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { AcmeRenewal } from "../../src/http/acme/acme-renewal.ts";
import { AcmeSession } from "../../src/http/acme/acme-session.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createLog } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

const PIECE = "x".repeat(65_536);

test("an answer without end is cut, and the connection is closed", async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const more = () => {
      while (response.write(PIECE));
    };
    response.on("drain", more).on("close", () => closed.resolve());
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const opening = AcmeSession.open({
    config: { acmeAnswerBytesMax: 131_072 },
    directoryUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    accountKeyPem: privateKey,
    email: "",
    clock: systemClock,
    signal: AbortSignal.timeout(10_000),
  });
  await expect(opening).rejects.toThrow("too long");
  await closed.promise;
  server.close();
});

test.each(["99999999999999999999", "1e300", "Infinity", "-5"])(
  "a Retry-After of %s delays the next order by a day at most",
  async (retryAfter) => {
    const server = createServer((_request, response) => {
      response.writeHead(503, { "Retry-After": retryAfter }).end("{}");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const acmeDirectoryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const clock = new VirtualClock(Date.UTC(2026, 4, 1));
    const config = parseConfig({ acmeNames: ["home.example.org"], acmeDirectoryUrl });
    const accounts = {
      secret: (_name: string, make: () => string) => make(),
      findSecret: () => null,
      replaceSecret() {},
    };
    const failed = Promise.withResolvers<void>();
    const log = { ...createLog("silent"), warn: () => failed.resolve() };
    const renewal = new AcmeRenewal({ config, accounts, clock, log } as never, async () => {});
    renewal.start();
    await clock.advance(1);
    await failed.promise;
    const { nextMs } = renewal.state;
    expect((nextMs ?? 0) - clock.now()).toBeGreaterThan(60_000);
    expect((nextMs ?? 0) - clock.now()).toBeLessThanOrEqual(86_400_000);
    renewal.stop();
    server.close();
  },
);
