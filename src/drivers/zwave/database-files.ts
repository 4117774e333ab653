/**
 * The files that the library can read: its database of devices. It comes with the package and changes only with it.
 *
 * By itself the library checks each of its 2,400 files at every start. When one is younger than their index, as npm
 * leaves them, it rebuilds the index, which takes four seconds, at every start if the index cannot be written.
 */

import { readFile, stat } from "node:fs/promises";
import type { LibraryFiles } from "./library.ts";

const refuse = () => Promise.reject(new Error("The Z-Wave library stores nothing in files."));

export const DATABASE_FILES: LibraryFiles = {
  readFile: (path) => readFile(path),
  stat: (path) => stat(path),
  // A file that is not listed cannot be younger than the index.
  readDir: () => Promise.resolve([]),
  // The library needs a directory for its cache; the cache itself is in the driver's store.
  ensureDir: () => Promise.resolve(),
  writeFile: refuse,
  copyFile: refuse,
  open: refuse,
  deleteDir: refuse,
  makeTempDir: refuse,
};
