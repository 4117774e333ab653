/** `domovoi types`: what the compiler may know of a home. */

import type { Home } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { usageFailure } from "../outcome.ts";
import { homeTypes } from "./home-types.ts";

type TypesOptions = ConnectionOptions & { readonly name: string };

const IDENTIFIER = /^[A-Z][A-Za-z0-9_]*$/;

/** Writes the declaration file to standard output. */
export async function printTypes(home: Home, { name }: TypesOptions): Promise<void> {
  if (!IDENTIFIER.test(name)) throw usageFailure(`"${name}" is not a valid name for a type. Example: MyHome`);
  process.stdout.write(homeTypes(home, name));
}
