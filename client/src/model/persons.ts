/** The persons of the home as the controller reports them, and the addresses of their phones. */

import type { Person, PersonAddress } from "./routes.ts";

export type { Person, PersonAddress } from "./routes.ts";

/** The persons, in portal mode, for owners. Operations of the integration `presence` add, change and forget them. */
export type Persons = {
  list(): Promise<readonly Person[]>;
  /** A new address for the person's phone; the former one ends. @param base how the phone reaches the portal: `https://HOST:PORT` */
  renewAddress(id: string, base?: string): Promise<PersonAddress>;
};
