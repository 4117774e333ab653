/** The few things that Home Assistant tells over HTTP alone. */

import { readForeignJson } from "../../util/foreign-value.ts";

export type Server = { readonly url: string; readonly token: string; readonly ca: string };

const BYTES_MAX = 1_048_576;
const ANSWER_MS = 10_000;

/** @returns its status, and the JSON of its body; undefined where it is none or too long. @throws Error when it is not reached */
export async function getJson(
  { url, token, ca }: Server,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const target = new URL(path, url.replace(/^ws/, "http"));
  // An import of both at the start of every service would cost it a while.
  const { request } = await (target.protocol === "https:" ? import("node:https") : import("node:http"));
  const headers = { Authorization: `Bearer ${token}` };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const sent = request(target, { headers, signal, timeout: ANSWER_MS, ...(ca !== "" && { ca }) }, (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BYTES_MAX) chunks.push(chunk);
    });
    response.on("error", reject);
    response.on("end", () => {
      const body = bytes > BYTES_MAX ? undefined : readForeignJson(Buffer.concat(chunks).toString());
      resolve({ status: response.statusCode ?? 0, body });
    });
  });
  sent.on("timeout", () => sent.destroy(new Error("Home Assistant does not answer.")));
  sent.on("error", reject);
  sent.end();
  return promise;
}
