/** The thread that unpacks the archive of a plugin. Nothing of the archive gets outside of the given directory. */

import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unzipSync } from "fflate";
import { extract } from "tar";
import { ControllerError } from "../../errors.ts";
import { messageOf } from "../../util/message-of.ts";
import { answerTask } from "../../util/thread-task.ts";

export type UnpackTask = {
  readonly archive: Uint8Array;
  readonly directory: string;
  /** Of all unpacked files together. */
  readonly bytesMax: number;
};

const FILES_MAX = 20_000;
/** The head of a file in a tar archive, and the padding at its end. */
const TAR_BYTES_PER_FILE = 1024;
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];

await answerTask(async ({ archive, directory, bytesMax }: UnpackTask): Promise<void> => {
  if (startsWith(archive, GZIP)) return unpackTar(archive, directory, bytesMax);
  if (startsWith(archive, ZIP)) return unpackZip(archive, directory, bytesMax);
  throw refused("The file is neither a .tgz nor a .zip archive.");
});

/** The library leaves out absolute paths and paths that lead outside; links are left out here. */
async function unpackTar(archive: Uint8Array, directory: string, bytesMax: number): Promise<void> {
  const count = counter(bytesMax);
  let refusal: unknown = null;
  const sink = extract({
    cwd: directory,
    brotli: false,
    zstd: false,
    filter: (_path, entry) => {
      if (!("type" in entry) || (entry.type !== "File" && entry.type !== "Directory" && entry.type !== "OldFile"))
        return false;
      try {
        count(entry.size);
        return true;
      } catch (error) {
        refusal = error;
        return false;
      }
    },
  });
  const extracted = Promise.withResolvers<void>();
  // What follows the end of the archive only counts: the library would copy all of it with each piece.
  let isOver = false;
  sink.once("eof", () => {
    isOver = true;
  });
  sink.once("finish", extracted.resolve).once("error", (error: Error) => {
    refusal ??= unreadable(error);
    extracted.resolve();
  });
  // The library would unzip the whole archive at once, and an archive in the archive too.
  const unzipped = async (pieces: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const piece of pieces) {
      if (bytes === 0 && startsWith(piece, GZIP)) refusal = refused("The archive is compressed twice.");
      bytes += piece.length;
      if (bytes > bytesMax + FILES_MAX * TAR_BYTES_PER_FILE) refusal = tooLong(bytesMax);
      if (refusal) return;
      if (!isOver && !sink.write(piece)) await Promise.race([once(sink, "drain"), extracted.promise]);
    }
    sink.end();
    await extracted.promise;
  };
  await pipeline(Readable.from([archive]), createGunzip(), unzipped).catch((error: unknown) => {
    throw refusal ?? unreadable(error);
  });
  if (refusal) throw refusal;
}

async function unpackZip(archive: Uint8Array, directory: string, bytesMax: number): Promise<void> {
  const count = counter(bytesMax);
  const filter = ({ originalSize }: { readonly originalSize: number }) => {
    count(originalSize);
    return true;
  };
  const files = readZip(() => unzipSync(archive, { filter }));
  for (const [path, bytes] of Object.entries(files)) {
    if (path.endsWith("/")) continue;
    if (path.startsWith("/") || path.includes("\\") || path.split("/").includes("..")) {
      throw refused(`The archive holds "${path}", which leads outside of the plugin's directory.`);
    }
    await mkdir(join(directory, dirname(path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
  }
}

function readZip<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ControllerError ? error : unreadable(error);
  }
}

function counter(bytesMax: number): (bytes: number) => void {
  let files = 0;
  let sum = 0;
  return (bytes) => {
    files += 1;
    sum += bytes;
    if (files > FILES_MAX) throw refused(`The archive holds more than ${FILES_MAX} files.`);
    if (sum > bytesMax) throw tooLong(bytesMax);
  };
}

function tooLong(bytesMax: number): ControllerError {
  return refused(`Unpacked, the archive is longer than ${bytesMax} bytes (pluginUnpackedBytesMax).`);
}

function startsWith(archive: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => archive[at] === byte);
}

function unreadable(error: unknown): ControllerError {
  return refused(`The archive cannot be read: ${messageOf(error)}`);
}

function refused(sentence: string): ControllerError {
  return new ControllerError("PLUGIN_REFUSED", sentence);
}
