/** `domovoi alert`: what rings, and answers to it. */

import type { Alert, ControllerSession } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { CommandFailure, type Done, done } from "../outcome.ts";
import { plain } from "../show/plain.ts";
import { readableTime } from "../show/time.ts";
import { homeZone } from "./home-zone.ts";

type ConfirmOptions = ConnectionOptions & { readonly button?: string };

export async function showAlerts(session: ControllerSession, options: ConnectionOptions): Promise<Done> {
  const all = await session.alerts.list();
  const zone = await homeZone(session, options);
  const none = "There are no alerts. They come with the first sensor of water, smoke or gas, or the first lock.";
  return done(all.length === 0 ? [none] : all.flatMap((alert) => linesOf(alert, zone)), all);
}

export async function confirmAlert(session: ControllerSession, given: string, options: ConfirmOptions): Promise<Done> {
  const alert = await find(session.alerts, given);
  const label = options.button;
  const button = label === undefined ? -1 : alert.buttons.findIndex((each) => each.label === label);
  if (label !== undefined && button < 0) {
    const labels = alert.buttons.map((each) => `"${each.label}"`).join(", ");
    throw new CommandFailure("notFound", `It has no button "${label}". It has: ${labels === "" ? "none" : labels}.`);
  }
  const answered = await session.alerts.answer(alert.node, button + 1);
  const { by, button: pressed, outcome } = answered.answer;
  const said = pressed === "" ? "" : ` ${plain(pressed)}: ${outcome}`;
  const line = answered.first ? `Confirmed.${said}` : `${by === "" ? "Another answer" : plain(by)} was first.${said}`;
  return done([line], answered);
}

/** @throws CommandFailure notFound */
async function find(alerts: ControllerSession["alerts"], given: string): Promise<Alert> {
  const all = await alerts.list();
  const named = all.filter(({ name }) => name === given);
  const found = all.find(({ node }) => node === given) ?? (named.length === 1 ? named[0] : undefined);
  if (found) return found;
  const why =
    named.length > 1 ? `Several alerts are called "${given}". Use the address.` : `There is no alert "${given}".`;
  throw new CommandFailure("notFound", why);
}

function linesOf({ name, node, status, since, text, order, told, answer }: Alert, zone: string | undefined) {
  const from = since === null ? "" : `${status === "ringing" ? " since" : ", rang at"} ${readableTime(since, zone)}`;
  const by = answer && (answer.by === "" ? "a program or client" : plain(answer.by));
  const confirmed =
    answer && `    confirmed by ${by} at ${readableTime(answer.at, zone)} ${plain(answer.button)}`.trimEnd();
  return [
    `${plain(name)}   ${status}${from}   ${node}   ${plain(order)}`,
    ...(text === "" ? [] : [`    ${plain(text)}`]),
    ...(status === "off"
      ? []
      : told.map(({ channel, at, failure }) => toldLine(channel, readableTime(at, zone), failure))),
    ...(confirmed ? [confirmed] : []),
  ];
}

function toldLine(channel: string, at: string, failure: string): string {
  return `    ${plain(channel)} ${at}${failure === "" ? "" : `: ${plain(failure)}`}`;
}
