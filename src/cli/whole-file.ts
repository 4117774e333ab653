/** Files that a command makes: whole or not at all, readable by their owner alone, and never in the place of another. */

import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { badValue } from "../errors.ts";

/** @throws ControllerError BAD_VALUE when the file is there, its directory is not, or its name looks like a command. */
export function checkNewFile(file: string): void {
  if (/^[a-z]+$/i.test(file)) throw badValue(`"${file}" looks like a command. To write a file of this name: ./${file}`);
  if (existsSync(file)) throw badValue(`The file ${file} is there already. Choose another name.`);
  if (!existsSync(dirname(file))) throw badValue(`There is no directory ${dirname(file)}.`);
}

/**
 * Gives the file its name when it is whole.
 * @param make writes the file under the name that it is given
 * @throws what `make` throws; then nothing is left
 */
export async function writeWholeFile<R>(file: string, make: (unfinished: string) => Promise<R>): Promise<R> {
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    const result = await make(unfinished);
    renameSync(unfinished, file);
    return result;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Writes what comes in pieces. @throws what the iteration throws; Node's error of the disk */
export async function savePieces(pieces: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  await pipeline(pieces, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
}
