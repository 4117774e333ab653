/**
 * The page's files: read and compressed once, at the first request, then served from memory. The build (`web/`) names every file by its
 * content, except the few at the root, so the others may be cached for ever.
 */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ControllerError } from "../../errors.ts";
import type { Reply } from "../reply.ts";

export type Page = {
  /** The document that every address of the page begins with. @throws ControllerError PAGE_NOT_BUILT */
  document(): Promise<Reply>;
  /** @param path below the page's root, without a leading slash. @throws ControllerError PATH_UNKNOWN */
  file(path: string): Promise<Reply>;
};

/** Everything comes from the controller itself; scripts and styles only as files. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const DOCUMENT = "index.html";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
const PACKED = new Set([".html", ".js", ".css", ".json", ".webmanifest", ".svg"]);
const pack = promisify(gzip);

/** @param directory of the built page */
export function openPage(directory: string): Page {
  let files: Promise<ReadonlyMap<string, Reply>> | null = null;
  const find = async (name: string) => {
    files ??= readFiles(directory);
    return (await files).get(name);
  };
  return {
    async document() {
      const document = await find(DOCUMENT);
      if (!document) throw new ControllerError("PAGE_NOT_BUILT");
      return document;
    },
    async file(path) {
      const file = path === DOCUMENT ? undefined : await find(path);
      if (!file) throw new ControllerError("PATH_UNKNOWN");
      return file;
    },
  };
}

async function readFiles(directory: string): Promise<ReadonlyMap<string, Reply>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const known = paths.filter((path) => extname(path) in TYPES);
  return new Map(
    await Promise.all(
      known.map(async (path): Promise<[string, Reply]> => {
        const name = relative(directory, path).replaceAll("\\", "/");
        return [name, await replyOf(name, await readFile(path))];
      }),
    ),
  );
}

async function replyOf(name: string, body: Buffer): Promise<Reply> {
  const extension = extname(name);
  const packed = PACKED.has(extension) ? await pack(body, { level: 9 }) : null;
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return {
    status: 200,
    contentType: TYPES[extension] ?? "application/octet-stream",
    body,
    etag,
    policy: PAGE_POLICY,
    ...(name.startsWith("assets/") && { isImmutable: true }),
    ...(packed && { gzip: () => packed }),
  };
}
