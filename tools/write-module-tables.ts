/** Writes the module tables of ARCHITECTURE.md. Run it after a change of test/support/modules.ts. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withModuleTables } from "../test/support/modules.ts";

const path = join(import.meta.dirname, "../ARCHITECTURE.md");
writeFileSync(path, withModuleTables(readFileSync(path, "utf8")));
