/** Attacks by WebSocket: places taken and nothing read, and frames that break the protocol. */

import type { Socket } from "node:net";
import { type Actor, crowd, openSocket, pause, type Scene, untilClosed } from "./scene.ts";

/** Streams of all clients together, which the home that is attacked may have. */
export const PLACES = 100;

/** One guest opens more streams than there are places (see `PLACES`), and reads none of them. */
export const streamHogs: Actor = (scene) =>
  crowd(scene, 1.5 * PLACES, async () => {
    const { portalUrl, guestToken } = scene.targets;
    const socket = await upgraded(scene, portalUrl, "/api/events/subscribe", `Bearer ${guestToken}`);
    if (!socket) return;
    scene.count("streams held");
    socket.pause();
    await pause(scene, 60_000);
    socket.destroy();
  });

/** Frames of a guest that are too long, not masked, of no known kind, or never end. */
export const brokenFrames: Actor = (scene) =>
  crowd(scene, 20, async () => {
    const { portalUrl, guestToken } = scene.targets;
    const socket = await upgraded(scene, portalUrl, "/api/events/subscribe", `Bearer ${guestToken}`);
    if (!socket) return;
    const closed = untilClosed(socket);
    for (let turn = 0; turn < 50 && !socket.destroyed && !scene.signal.aborted; turn += 1) {
      scene.count("broken frames");
      socket.write(brokenFrame(scene));
      await pause(scene, 20);
    }
    socket.destroy();
    await closed;
  });

/** Opcode and mask flag of random frames, most with a length that does not fit what follows. */
function brokenFrame({ randomness }: Scene): Buffer {
  const length = Math.floor(randomness.next() * 128);
  const body = randomness.bytes(Math.floor(randomness.next() * 200));
  const [first = 0] = randomness.bytes(1);
  const isPing = randomness.next() < 0.5;
  if (isPing) return Buffer.concat([Buffer.of(0x89, 0x80), randomness.bytes(4)]);
  return Buffer.concat([Buffer.of(first, 0x80 | length), body]);
}

/** null when the upgrade is refused. */
async function upgraded(scene: Scene, url: string, path: string, authorization: string): Promise<Socket | null> {
  const socket = await openSocket(scene, url);
  if (!socket) return null;
  const key = scene.randomness.bytes(16).toString("base64");
  const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n${upgrade}\r\n`);
  const answer = await new Promise<string>((resolve) => {
    socket.once("data", (chunk) => resolve(chunk.toString("latin1")));
    socket.once("close", () => resolve(""));
  });
  if (answer.startsWith("HTTP/1.1 101")) return socket;
  scene.count("streams refused");
  socket.destroy();
  return null;
}
