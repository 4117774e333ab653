/** Attacks by HTTP requests: many on one connection, bodies that are slow or large, guesses, and bytes that are no request. */

import { connect as connectSecond } from "node:http2";
import { type Actor, crowd, openSocket, pause, pick, type Scene, untilClosed } from "./scene.ts";

const PIPELINED = 250;
const BODY_BYTES = 1_000_000;
const DRIP_MS = 200;

/** Every request carries another token, which looks as good as a real one up to its signature. */
export const pipelineAsStranger: Actor = (scene) =>
  crowd(scene, 60, () =>
    pipeline(scene, scene.targets.portalUrl, () => ({
      target: pick(scene, ["/api/nodes", "/api/login", "/rest/nodes", "/api/programs"]),
      authorization: `Bearer ${forgedToken(scene)}`,
    })),
  );

/** The largest answers that a guest may have. */
export const pipelineAsGuest: Actor = (scene) => {
  const { portalUrl, guestToken } = scene.targets;
  const authorization = `Bearer ${guestToken}`;
  return crowd(scene, 10, () =>
    pipeline(scene, portalUrl, () => ({
      target: pick(scene, ["/api/commands", "/api/nodes", "/rest/status"]),
      authorization,
    })),
  );
};

type Head = { readonly target: string; readonly authorization: string };

async function pipeline(scene: Scene, url: string, head: () => Head): Promise<void> {
  const socket = await openSocket(scene, url);
  if (!socket) return;
  const requests = Array.from({ length: PIPELINED }, () => {
    const { target, authorization } = head();
    return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
  });
  scene.count("pipelines");
  socket.write(requests.join(""));
  await Promise.race([untilClosed(socket), pause(scene, 3000)]);
  socket.destroy();
}

function forgedToken({ randomness }: Scene): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.round(Date.now() / 1000) + 1800;
  const payload = { sub: randomness.bytes(8).toString("hex"), role: "owner", sid: randomness.next(), exp };
  return `${encode({ alg: "ES256", typ: "JWT" })}.${encode(payload)}.${randomness.bytes(64).toString("base64url")}`;
}

/** A body that comes drop by drop, where no credentials are needed. */
export const slowBodies: Actor = (scene) =>
  crowd(scene, 100, async () => {
    const socket = await openSocket(scene, scene.targets.portalUrl);
    if (!socket) return;
    scene.count("slow bodies");
    socket.write(bodyHead("/api/login", "", 100_000));
    const closed = untilClosed(socket);
    while (!socket.destroyed && !scene.signal.aborted) {
      socket.write(" ".repeat(1 + Math.floor(scene.randomness.next() * 8000)));
      await pause(scene, DRIP_MS);
    }
    await closed;
  });

/** All but the last byte of a body of the largest allowed size, sent by an account without the right to write. */
export const hugeBodies: Actor = (scene) =>
  crowd(scene, 60, async () => {
    const { portalUrl, guestToken } = scene.targets;
    const socket = await openSocket(scene, portalUrl);
    if (!socket) return;
    scene.count("huge bodies");
    socket.write(bodyHead("/api/programs/text", `Authorization: Bearer ${guestToken}\r\n`, BODY_BYTES));
    socket.write(HUGE);
    await Promise.race([untilClosed(socket), pause(scene, 1500)]);
    socket.destroy();
  });

const HUGE = Buffer.alloc(BODY_BYTES - 1, " ");

function bodyHead(target: string, headers: string, length: number): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`;
}

/** Passwords of the owner on the portal, and of anybody on the local listener. */
export const guessers: Actor = (scene) =>
  crowd(scene, 8, async () => {
    const { portalUrl, localUrl, ownerLogin } = scene.targets;
    const isPortal = scene.randomness.next() < 0.5;
    const socket = await openSocket(scene, isPortal ? portalUrl : localUrl);
    if (!socket) return;
    scene.count("guesses");
    const password = scene.randomness.bytes(6).toString("hex");
    const body = JSON.stringify({ username: ownerLogin, password });
    const basic = Buffer.from(`admin:${password}`).toString("base64");
    if (isPortal) socket.write(bodyHead("/api/login", "", body.length) + body);
    else socket.write(`GET /rest/config HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${basic}\r\n\r\n`);
    socket.once("data", () => socket.destroy());
    await Promise.race([untilClosed(socket), pause(scene, 2000)]);
    socket.destroy();
  });

/** Bytes that no client sends on purpose, with and without TLS, and the preface of HTTP/2. */
export const brokenRequests: Actor = async (scene) => {
  await Promise.all([
    crowd(scene, 20, async () => {
      const url = pick(scene, [scene.targets.portalUrl, scene.targets.localUrl]);
      const socket = await openSocket(scene, url, scene.randomness.next() < 0.2);
      if (!socket) return;
      scene.count("broken requests");
      socket.write(brokenBytes(scene));
      await Promise.race([untilClosed(socket), pause(scene, 500)]);
      socket.destroy();
    }),
    crowd(scene, 1, () => secondVersion(scene)),
  ]);
};

const HOST = "Host: localhost\r\n";
const BROKEN: readonly ((scene: Scene) => string | Buffer)[] = [
  ({ randomness }) => randomness.bytes(2000),
  () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x0c\x04\0\0\0\0\0",
  () =>
    `POST /api/login HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/nodes`,
  () => `POST /api/login HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`,
  () => `GET /${"a".repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n`,
  () => `GET / HTTP/1.1\r\n${HOST}${"X-Filler: aaaaaaaaaaaaaaaa\r\n".repeat(4000)}\r\n`,
  () => `GET / HTTP/9.9\r\n${HOST}\r\n`,
  () => `GET /api/nodes HTTP/1.1\r\n${HOST}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08`,
  ({ randomness }) =>
    Buffer.concat([Buffer.from("\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", "latin1"), randomness.bytes(500)]),
];

function brokenBytes(scene: Scene): Buffer {
  const bytes = pick(scene, BROKEN)(scene);
  return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}

/** A client that insists on HTTP/2. */
async function secondVersion(scene: Scene): Promise<void> {
  const session = connectSecond(scene.targets.portalUrl, { rejectUnauthorized: false });
  session.on("error", () => {});
  await pause(scene, 500);
  session.destroy();
}
