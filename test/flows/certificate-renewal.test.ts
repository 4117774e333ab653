/** A certificate that changes while the controller runs. */

import "reflect-metadata";
import { generateKeyPairSync, KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { X509CertificateGenerator } from "@peculiar/x509";
import { expect, test, vi } from "vitest";
import { makeAuthority } from "../../src/http/make-certificate.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { START_MS, startTestController } from "../support/controller.ts";

const DAY_MS = 86_400_000;

async function makePair(seed: number, nowMs = START_MS): Promise<{ readonly cert: string; readonly key: string }> {
  const key = String(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }),
  );
  return { key, cert: await makeAuthority(key, { nowMs, randomness: seededRandomness(seed) }) };
}

/** TLS refuses keys of this size. */
async function makeWeakPair(): Promise<{ readonly cert: string; readonly key: string }> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };
  const keys = await crypto.subtle.generateKey({ ...algorithm, modulusLength: 1024 }, true, ["sign", "verify"]);
  const notAfter = new Date(START_MS + DAY_MS);
  const made = await X509CertificateGenerator.createSelfSigned({ keys, signingAlgorithm: algorithm, notAfter });
  return {
    cert: made.toString("pem"),
    key: String(KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" })),
  };
}

async function writePair(directory: string, seed: number): Promise<void> {
  const { cert, key } = await makePair(seed);
  await writeFile(join(directory, "key.pem"), key);
  await writeFile(join(directory, "cert.pem"), cert);
}

const fingerprint = (url: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on("error", reject);
  });

test("the owner's renewed certificate is served within a day; an unreadable one changes nothing and is reported", async () => {
  const directory = await mkdtemp(join(tmpdir(), "domovoi-certificate-"));
  await writePair(directory, 1);
  await using service = await startTestController({
    demo: false,
    certificateFile: join(directory, "cert.pem"),
    certificateKeyFile: join(directory, "key.pem"),
  });
  const shown = () => fingerprint(service.controller.portalUrl);
  const first = await shown();

  await writeFile(join(directory, "cert.pem"), "half a file");
  await service.clock.advance(DAY_MS);
  await vi.waitFor(() => expect(service.lines.some(({ message }) => /cannot be read again/.test(message))).toBe(true));
  expect(await shown()).toBe(first);

  await writePair(directory, 2);
  await service.clock.advance(DAY_MS);
  await vi.waitFor(async () => expect(await shown()).not.toBe(first));
  await rm(directory, { recursive: true });
});

type Shown = {
  readonly source: string;
  readonly fingerprint: string;
  readonly validTo: string;
  readonly authority: { readonly pem: string };
};

test("owners see the certificate that is served, and have their files read again at once", async () => {
  const directory = await mkdtemp(join(tmpdir(), "domovoi-certificate-"));
  await writePair(directory, 1);
  const files = { certificateFile: join(directory, "cert.pem"), certificateKeyFile: join(directory, "key.pem") };
  await using service = await startTestController({ demo: false, ...files });
  await service.login();
  const { portal } = service;
  const served = () => fingerprint(service.controller.portalUrl);
  const before = (await portal.get("/api/certificate")).json<{ data: Shown }>().data;
  expect(before).toMatchObject({ source: "file", fingerprint: await served() });
  expect(before.authority.pem).toContain("BEGIN CERTIFICATE");

  await writePair(directory, 2);
  const after = (await portal.post("/api/certificate/reload", {})).json<{ data: Shown }>().data;
  expect(after.fingerprint).not.toBe(before.fingerprint);
  expect(await served()).toBe(after.fingerprint);

  await writeFile(files.certificateFile, "half a file");
  const uploaded = await portal.put("/api/certificate", await makePair(3));
  expect([uploaded.status, uploaded.text]).toEqual([409, expect.stringContaining("certificateFile")]);
  const refused = await portal.post("/api/certificate/reload", {});
  expect(refused.status).toBe(400);
  expect(refused.json<{ error: string }>().error).toContain("certificateFile");
  expect(await served()).toBe(after.fingerprint);
  await rm(directory, { recursive: true });
});

test("an owner uploads a certificate, which is served at once, stored, and given up again; others are refused", async () => {
  await using service = await startTestController({ demo: false });
  await service.login();
  const { portal } = service;
  const served = () => fingerprint(service.controller.portalUrl);
  const own = await served();
  const send = (body: object) => portal.put("/api/certificate", body);
  const pair = await makePair(1);
  const refusals = [
    [{ ...pair, cert: "half a file" }, "does not hold a certificate"],
    [{ ...pair, cert: `${pair.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----` }, "cannot be read"],
    [{ ...pair, key: (await makePair(2)).key }, "does not belong"],
    [await makePair(3, START_MS - 20 * 365 * DAY_MS), "ended on"],
    [await makeWeakPair(), "cannot be used for TLS (ERR_SSL_EE_KEY_TOO_SMALL)"],
    [{ cert: pair.cert }, "key"],
  ] as const;
  for (const [body, sentence] of refusals) {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)]);
  }
  expect(await served()).toBe(own);

  const answer = await send(pair);
  expect([answer.status, answer.json<{ data: Shown }>().data]).toEqual([
    200,
    expect.objectContaining({ source: "upload" }),
  ]);
  expect(answer.text).not.toContain("PRIVATE KEY");
  expect(answer.json<{ data: Shown }>().data.fingerprint).toBe(await served());
  expect(await served()).not.toBe(own);
  expect(service.lines.map(({ message }) => message)).toContain("An uploaded certificate is in use.");
  expect(service.lines.every((line) => !JSON.stringify(line).includes("PRIVATE KEY"))).toBe(true);
  await service.clock.advance(DAY_MS);
  expect(await served()).not.toBe(own);
  await service.restart();
  await service.login();
  expect(await served()).toBe(answer.json<{ data: Shown }>().data.fingerprint);

  const removed = await portal.delete("/api/certificate");
  expect([removed.status, removed.json<{ data: Shown }>().data.source]).toEqual([200, "own"]);
  expect(await served()).toBe(own);
});
