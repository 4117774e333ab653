/**
 * `npm run licenses -- [LOCK FILE]`: the license of every package that the lock file names. Ends with 1 when one is not on the
 * list of those that this project may carry (what runs in the service) or use (what builds and tests it).
 */

import { readFileSync } from "node:fs";

/** Permissive, and compatible with Apache-2.0. */
const CARRIED: ReadonlySet<string> = new Set([
  "(MIT OR Apache-2.0)",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);
/** Tools that are not part of what we distribute. */
const USED: ReadonlySet<string> = new Set([...CARRIED, "(MIT OR CC0-1.0)", "MIT OR Apache-2.0", "MPL-2.0"]);

/** Read in the files of the package, where the lock file has no license or no exact one. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  "cycle@1.0.3": "Unlicense",
  "npmrc@1.1.1": "BSD-3-Clause",
  "nrf-intel-hex@1.4.0": "BSD-3-Clause",
  "qs@1.2.0": "BSD-3-Clause",
  "sax@0.5.8": "BSD-2-Clause",
  "suncalc@2.0.2": "BSD-2-Clause",
  "xml2js@0.4.0": "MIT",
  "yaml@0.2.3": "MIT",
};

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly integrity?: string;
};
type Package = { readonly name: string; readonly license: string; readonly isCarried: boolean };

const [file = "package-lock.json"] = process.argv.slice(2);
const lock = JSON.parse(readFileSync(file, "utf8")) as { readonly packages: Readonly<Record<string, Locked>> };
const packages = Object.entries(lock.packages).flatMap(([path, locked]) => packageOf(path, locked));
const refused = packages.filter(({ license, isCarried }) => !(isCarried ? CARRIED : USED).has(license));
for (const [license, of] of Map.groupBy(packages, ({ license }) => license)) {
  const carried = of.filter(({ isCarried }) => isCarried);
  process.stdout.write(`${license}: ${carried.length} in the service, ${of.length - carried.length} in tools\n`);
}
for (const { name, license } of refused) process.stderr.write(`Not on the list: ${name} (${license})\n`);
process.exitCode = refused.length === 0 ? 0 : 1;

/** None for ourselves, and for what is only noted for another platform and was never fetched. */
function packageOf(path: string, { version = "", license, dev = false, link, integrity }: Locked): readonly Package[] {
  const [, short] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  if (short === undefined || link === true || (integrity === undefined && license === undefined)) return [];
  const name = `${short}@${version}`;
  return [{ name, license: READ_BY_HAND[name] ?? license ?? "none", isCarried: !dev }];
}
