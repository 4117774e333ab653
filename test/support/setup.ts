/** Before every test file: chance begins at a seed that is known, so that what failed once can fail again. */

import { configureGlobal } from "fast-check";
import { configureLibrary } from "../../src/drivers/matter-library.ts";
import { EXAMPLES, SEED } from "../simulation/effort.ts";

configureGlobal({ seed: SEED, numRuns: EXAMPLES });

/** Files of one process share the Matter library, which can be configured before its first import alone. */
const CONFIGURED = Symbol.for("domovoi.matter-configured");
if (!Reflect.has(globalThis, CONFIGURED)) {
  Reflect.set(globalThis, CONFIGURED, true);
  await configureLibrary(null);
}
