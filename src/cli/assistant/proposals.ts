/** `domovoi proposals`: what assistants propose, and the decision of a person. */

import type { ControllerSession, Proposal } from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { printList } from "../home/list.ts";
import { lineDiff } from "../line-diff.ts";
import { CommandFailure, type Done, done } from "../outcome.ts";
import { plain, plainJson } from "../show/plain.ts";

export async function listProposals(session: ControllerSession, options: ConnectionOptions): Promise<void> {
  printList(await session.proposals.list(), options, "There are no proposals.", {
    ID: ({ id }) => id,
    FROM: ({ account }) => account,
    STATE: ({ state }) => state,
    CHANGE: ({ title }) => title,
  });
}

export async function showProposal(session: ControllerSession, id: string, options: ConnectionOptions): Promise<void> {
  const found = (await session.proposals.list()).find((each) => each.id === id);
  if (!found)
    throw new CommandFailure("notFound", `There is no proposal "${id}". "domovoi proposals list" shows them.`);
  process.stdout.write(options.json ? `${plainJson(found, 2)}\n` : `${linesOf(found).map(plain).join("\n")}\n`);
}

function linesOf({ title, why, account, state, decidedBy, isSecured, text, before, findings, lastWeek }: Proposal) {
  const week = lastWeek
    ? [`In the last week it would have made ${lastWeek.differences} differences.`, ...lastWeek.lines]
    : ["It was not replayed on the last week."];
  return [
    `${title}. ${state}${decidedBy === null ? "" : ` by ${decidedBy}`}`,
    `${account} says: ${why}`,
    ...(isSecured ? ["It may move a lock, a garage door, a siren or an alarm, or cause more than it says."] : []),
    ...(text === null ? [] : ["", ...lineDiff(before ?? "", text), "", ...findings.map(findingLine), ...week]),
  ];
}

function findingLine({ severity, line, sentence }: Proposal["findings"][number]): string {
  return `${severity}${line === null ? "" : `, line ${line}`}: ${sentence}`;
}

export async function approveProposal(session: ControllerSession, id: string): Promise<Done> {
  const { title } = await session.proposals.approve(id);
  return done(`Done: ${title}.`, { id, title });
}

export async function rejectProposal(session: ControllerSession, id: string): Promise<Done> {
  const { title } = await session.proposals.reject(id);
  return done(`Rejected: ${title}.`, { id, title });
}

/** Undoes the edits of an assistant too. */
export async function stopAssistant(session: ControllerSession, account: string): Promise<Done> {
  const { rejected, undone, kept } = await session.proposals.stop(account);
  const lines = [
    `The sessions of ${account} have ended. Proposals rejected: ${rejected}. Edits undone: ${undone.length}.`,
    ...undone.map((title) => `  undone  ${title}`),
    ...kept.map((title) => `  stays   ${title}`),
  ];
  return done(lines, { account, rejected, undone, kept });
}
