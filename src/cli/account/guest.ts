/** `domovoi guest`: guest links are made, listed and revoked. A link is printed when it is made and never again. */

import type { ControllerSession, GuestLink, Guests, Home } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { readSeconds } from "../edit/edit-output.ts";
import { homeZone } from "../home/home-zone.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { readableTime } from "../show/time.ts";
import { type LimitOptions, limitsOf, reachText } from "./limit-options.ts";

type CreateOptions = ConnectionOptions & LimitOptions & { readonly for?: string; readonly role: GuestLink["role"] };

export async function createGuest(home: Home, name: string, options: CreateOptions): Promise<Done> {
  const { for: time, role } = options;
  const seconds = time === undefined ? {} : { seconds: wholeSeconds(time) };
  const guest = await home.guests.create({ name, role, limits: limitsOf(home, options), ...seconds });
  const end =
    guest.expiresAt === null
      ? "until it is revoked"
      : `until ${readableTime(guest.expiresAt, await homeZone(home, options))}`;
  return done([`The link for "${name}", good ${end}. It is not shown again:`, guest.link], guest);
}

export async function listGuests(home: Home, options: ConnectionOptions): Promise<void> {
  const timeZone = await homeZone(home, options);
  printList(await home.guests.list(), options, "There are no guest links.", {
    NAME: ({ name }) => name,
    ROLE: ({ role }) => role,
    UNTIL: ({ expiresAt }) => (expiresAt === null ? "no end" : readableTime(expiresAt, timeZone)),
    "LAST VISIT": ({ visitedAt }) => (visitedAt === null ? "none" : readableTime(visitedAt, timeZone)),
    REACHES: ({ limits }) => reachText(home, limits),
  });
}

export async function revokeGuest({ guests }: ControllerSession, name: string): Promise<Done> {
  const guest = await find(guests, name);
  await guests.revoke(guest.id);
  return done(`The guest link "${guest.name}" is revoked.`, { id: guest.id, name: guest.name });
}

/** @throws CommandFailure notFound */
async function find(guests: Guests, name: string): Promise<GuestLink> {
  const wanted = name.normalize("NFC").toLowerCase();
  const found = (await guests.list()).find(
    (guest) => guest.name.normalize("NFC").toLowerCase() === wanted || guest.id === name,
  );
  if (found) return found;
  throw new CommandFailure("notFound", `There is no guest link "${name}". "domovoi guest list" shows them.`);
}

function wholeSeconds(written: string): number {
  const seconds = Math.round(readSeconds(written));
  if (seconds >= 1) return seconds;
  throw usageFailure(`"${written}" is too short: write 30m, 2h or 3d.`);
}
