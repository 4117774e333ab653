/**
 * Reads bodies as text. Some controllers, and proxies in front of them, compress even when the request does not
 * accept it.
 */

import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { TransportAnswer } from "./transport.ts";

/** Ten times the largest document of a home with 10,000 nodes. */
const BODY_MEBIBYTES_MAX = 64;
const MEBIBYTE = 1024 * 1024;
const UNPACK: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** @throws Error when the body is not packed as its header says, or is larger than anybody needs, packed or not */
export async function readBody(body: Readable, header: TransportAnswer["header"]): Promise<string> {
  const unpack = UNPACK.get(header("content-encoding")?.trim().toLowerCase() ?? "");
  const bytes = await (unpack ? unpacked(body, unpack()) : collect(body));
  const charset = /charset="?([^\s;"]+)/i.exec(header("content-type") ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  return charset === "utf-8" || charset === "utf8" ? bytes.toString("utf8") : decode(bytes, charset);
}

async function unpacked(body: Readable, unpack: Transform): Promise<Buffer> {
  let packedBytes = 0;
  body.on("data", (piece: Buffer) => {
    packedBytes += piece.length;
  });
  try {
    return await pipeline(body, unpack, collect);
  } catch (error) {
    // An answer without a body may name how it would be packed.
    if (packedBytes === 0 && body.readableEnded) return Buffer.alloc(0);
    throw error;
  }
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > BODY_MEBIBYTES_MAX * MEBIBYTE) throw new Error(`The answer is larger than ${BODY_MEBIBYTES_MAX} MiB.`);
    kept.push(piece);
  }
  return Buffer.concat(kept);
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown character set.
    return bytes.toString("utf8");
  }
}
