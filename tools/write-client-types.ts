/** Writes the client's types of bodies, and what it copies of the service. Run it after a change of a body or an answer of `/api`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../src/http/routes.ts";
import { CLIENT_TYPES, clientCopies, clientTypes } from "./client-types.ts";

writeFileSync(join(import.meta.dirname, "..", CLIENT_TYPES), clientTypes(routes));
for (const [path, text] of clientCopies()) writeFileSync(join(import.meta.dirname, "..", path), text);
