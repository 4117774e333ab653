/** A hostile ACME directory: bounded memory, and an error in plain words. */

import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { AcmeSession } from "../../src/http/acme/acme-session.ts";
import { systemClock } from "../../src/util/clock.ts";

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
