/** Bodies as texts: some controllers, and proxies before them, pack what nobody asked to be packed. */

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { TransportAnswer } from "./transport.ts";

const BODY_BYTES_MAX = 256 * 1024 * 1024;
const UNPACK: ReadonlyMap<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** @throws Error when the body is not packed as its header says */
export async function readBody(bytes: Buffer, header: TransportAnswer["header"]): Promise<string> {
  const unpack = UNPACK.get(header("content-encoding")?.trim().toLowerCase() ?? "");
  const plain = unpack && bytes.length > 0 ? await unpack(bytes, { maxOutputLength: BODY_BYTES_MAX }) : bytes;
  const charset = /charset="?([^\s;"]+)/i.exec(header("content-type") ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  return charset === "utf-8" || charset === "utf8" ? plain.toString("utf8") : decode(plain, charset);
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // A character set that nobody knows.
    return bytes.toString("utf8");
  }
}
