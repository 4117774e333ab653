/** `domovoi person`: the persons of the home. */

import type { ControllerSession, Person } from "@domovoi/client";
import encodeQR from "qr";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { homeZone } from "../home/home-zone.ts";
import { CommandFailure, type Done, done } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { readableTime } from "../show/time.ts";
import { operate } from "./operate.ts";

type AddressOptions = ConnectionOptions & { readonly base?: string };

/** Readers need some white around the code. */
const BORDER = 2;
const TYPE = "presence";

export async function showPersons(session: ControllerSession, options: ConnectionOptions): Promise<Done> {
  const all = await session.persons.list();
  const zone = await homeZone(session, options);
  const none = 'There are no persons. "domovoi integration do presence add-person name=NAME" adds one.';
  return done(all.length === 0 ? [none] : all.flatMap((person) => linesOf(person, zone)), all);
}

export async function makeAddress(
  { persons }: ControllerSession,
  given: string,
  { base }: AddressOptions,
): Promise<Done> {
  const { id } = await find(persons, given);
  const made = await persons.renewAddress(id, base);
  const code = encodeQR(made.link, "ascii", { border: BORDER }).trimEnd().split("\n");
  return done(
    ["Scan this with the phone that has OwnTracks, or enter the address in it (mode HTTP):", ...code, made.url],
    made,
  );
}

export async function forgetPerson(
  session: ControllerSession,
  given: string,
  options: ConnectionOptions,
): Promise<Done | undefined> {
  const { id } = await find(session.persons, given);
  return operate(session, TYPE, "forget-person", [`person=${id}`], options);
}

/** @throws CommandFailure notFound */
async function find(persons: ControllerSession["persons"], given: string): Promise<Person> {
  const all = await persons.list();
  const named = all.filter(({ name }) => name === given);
  const found =
    all.find(({ id, node }) => id === given || node === given) ?? (named.length === 1 ? named[0] : undefined);
  if (found) return found;
  const why =
    named.length > 1 ? `Several persons are called "${given}". Use the number.` : `There is no person "${given}".`;
  throw new CommandFailure("notFound", why);
}

function linesOf({ id, name, says, since, node, sources }: Person, zone: string | undefined): readonly string[] {
  const where = says === null ? "not known" : says;
  const from = since === null ? "" : ` since ${readableTime(since, zone)}`;
  return [
    `${id}   ${plain(name)}   ${where}${from}   ${node}`,
    ...sources.map(
      ({ kind, from: of, says: said, reason }) =>
        `    ${kind}${of === "" ? "" : ` ${plain(of)}`}: ${said ?? "not known"}. ${plain(reason)}`,
    ),
  ];
}
