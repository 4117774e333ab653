/** The product's version, from package.json. */

import { readFileSync } from "node:fs";

const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

export const productVersion: string = manifest.version;
