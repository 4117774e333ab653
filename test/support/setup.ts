/** Before every test file: chance begins at a seed that is known, so that what failed once can fail again. */

import { configureGlobal } from "fast-check";
import { EXAMPLES, SEED } from "../simulation/effort.ts";

configureGlobal({ seed: SEED, numRuns: EXAMPLES });
