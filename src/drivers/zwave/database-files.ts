/**
 * The files that the library may see: its database of devices, to read. It comes with the package and changes with no other.
 *
 * Left to itself the library looks at each of its 2,400 files at every start. Where one is younger than their index, as
 * npm leaves them, it makes the index anew, which takes four seconds, and does so at every start where it may not keep it.
 */

import { readFile, stat } from "node:fs/promises";
import type { LibraryFiles } from "./library.ts";

const refuse = () => Promise.reject(new Error("The radio's library keeps nothing in files."));

export const DATABASE_FILES: LibraryFiles = {
  readFile: (path) => readFile(path),
  stat: (path) => stat(path),
  // What is not listed cannot be younger than the index.
  readDir: () => Promise.resolve([]),
  // It wants a directory for its cache, which is kept in the driver's store.
  ensureDir: () => Promise.resolve(),
  writeFile: refuse,
  copyFile: refuse,
  open: refuse,
  deleteDir: refuse,
  makeTempDir: refuse,
};
