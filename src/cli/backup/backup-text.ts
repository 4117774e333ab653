/** A backup's content as a person or a program reads it. */

import type { ContentName } from "../../store/backup/contents.ts";
import type { BackupContent } from "../../store/backup/write-backup.ts";
import { plain, plainJson } from "../show/plain.ts";

export function contentText({ header, end }: BackupContent): string {
  const { name, uuid, takenAtMs, seq, product, isEncrypted, leftOut } = header;
  const contents = end.contents.map(({ name: of, rows }) => ({ words: CONTENT_WORDS[of] ?? plain(of), rows }));
  const width = Math.max(...contents.map(({ words }) => words.length));
  return [
    `"${plain(name)}" (${uuid}) of ${new Date(takenAtMs).toISOString()}, up to entry ${seq} of its journal.`,
    `Made by Domovoi ${plain(product)}, ${isEncrypted ? "encrypted" : "open"}. Logical hash ${end.logicalHash}`,
    "",
    ...contents.map(({ words, rows }) => `  ${words.padEnd(width)}  ${rows}`),
    "",
    leftOutText(leftOut),
  ].join("\n");
}

export function contentJson({ header, end }: BackupContent): string {
  return `${plainJson({ ...header, ...end, end: undefined }, 2)}\n`;
}

/** By the name in the file. */
const CONTENT_WORDS: Readonly<Record<ContentName, string>> = {
  controller: "controller: name, place, units",
  folders: "folders",
  hidden_nodes: "removed nodes",
  edits: "history of edits",
  groups: "scenes",
  nodes: "nodes",
  properties: "values of nodes",
  programs: "programs and program folders",
  program_runs: "last runs of programs",
  variables: "variables",
  network_resources: "network resources",
  integrations: "integrations",
  driver_store: "storage of integrations",
  told_documents: "documents of the copied controller",
  accounts: "accounts",
  known_devices: "devices that have logged in",
  secrets: "keys and certificates",
  journal: "journal",
  trace: "trace of programs",
};

const LEFT_OUT: Readonly<Record<string, string>> = {
  accounts: "Accounts: created at the first start, from DOMOVOI_OWNER_EMAIL and so on, or generated and printed once.",
  known_devices: "Devices that have logged in: learned again.",
  secrets: "Keys and certificate: generated again. Clients have to log in again and see another certificate.",
  network_resources: "Network resources: enter them again; programs that fire them find none until then.",
  edits: "History of edits: edits from before the backup cannot be shown or undone.",
};

/** The data that an open backup leaves out, and the consequences; empty when nothing was left out. */
export function leftOutText(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return "";
  const lines = leftOut.map((name) => {
    const driver = name.replace(/^driver_store /, "");
    return `  ${LEFT_OUT[name] ?? `Storage of the driver ${plain(driver)}, with its network keys: devices with encryption have to be included again.`}\n`;
  });
  return `Not in this backup, because it is open and these are secret:\n${lines.join("")}`;
}
