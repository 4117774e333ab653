/**
 * The definitions of a plugin: `profile/nodedef/*.xml`, `profile/editor/*.xml` and `profile/nls/*.txt`. A file that cannot be
 * read is passed over and named; the others are used.
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Editor, EditorRange } from "../../profile/editor.ts";
import { readNls } from "../../profile/nls.ts";
import type { CommandDefinition, CommandParameter, Nodedef } from "../../profile/nodedef.ts";
import type { Definitions } from "../../profile/profile.ts";
import { messageOf } from "../../util/message-of.ts";
import { readXml, type XmlElement } from "../../util/read-xml.ts";
import { readOwnFile } from "./own-files.ts";

type PluginProfile = {
  readonly definitions: Definitions;
  /** A sentence for each file that was passed over. */
  readonly problems: readonly string[];
};

/** Keys in capitals: they are compared without case. */
type Labels = ReadonlyMap<string, string>;

const FILES_MAX = 200;
const FILE_BYTES_MAX = 2_000_000;
const PREC_MAX = 9;
/** Values and runs of values, of which either end may be negative. */
const SUBSET = /^-?\d+(?:--?\d+)?$/;

export async function readPluginProfile(folder: string): Promise<PluginProfile> {
  const problems: string[] = [];
  const texts = async (kind: string, ending: string) => readTexts(folder, join("profile", kind), ending, problems);
  const entries = (await texts("nls", ".txt")).flatMap(({ text }) => readNls(text));
  const labels: Labels = new Map(entries.map(([key, label]) => [key.toUpperCase(), label]));
  const roots = async (kind: string) =>
    (await texts(kind, ".xml")).flatMap(({ name, text }) => {
      try {
        return [readXml(text.replace(/^\ufeff/, ""))];
      } catch (error) {
        problems.push(`profile/${kind}/${name}: ${messageOf(error)}`);
        return [];
      }
    });
  const editors = (await roots("editor")).flatMap((root) => named(root, "editor").map((each) => editor(each, labels)));
  const nodedefs = (await roots("nodedef")).flatMap((root) =>
    named(root, "nodedef").map((each) => nodedef(each, labels)),
  );
  return { definitions: { nodedefs, editors, names: new Map(entries) }, problems };
}

type TextFile = { readonly name: string; readonly text: string };

/** A folder that is not there holds nothing: some plugins write theirs when they run. */
async function readTexts(
  directory: string,
  folder: string,
  ending: string,
  problems: string[],
): Promise<readonly TextFile[]> {
  const names = (await readdir(join(directory, folder)).catch(() => []))
    .filter((name) => name.toLowerCase().endsWith(ending))
    .sort()
    .slice(0, FILES_MAX);
  const files: TextFile[] = [];
  for (const name of names) {
    const text = await readOwnFile(directory, join(folder, name), FILE_BYTES_MAX);
    if (text !== null) files.push({ name, text });
    else problems.push(`${name} cannot be read, or is longer than ${FILE_BYTES_MAX} bytes.`);
  }
  return files;
}

function nodedef(element: XmlElement, labels: Labels): Nodedef {
  const id = attribute(element, "id");
  const nls = attribute(element, "nls") || null;
  const first = firstLabel(labels);
  const of = (kind: "ST" | "CMD", name: string) => first(nls && `${kind}-${nls}-${name}-NAME`, `${kind}-${name}-NAME`);
  const commands = (place: "sends" | "accepts") =>
    named(within(element, "cmds", place), "cmd").map((cmd) => command(cmd, nls, labels));
  const links = (place: "ctl" | "rsp") =>
    named(within(element, "links", place), "link", "linkdef").map((link) => attribute(link, "linkdef"));
  return {
    id,
    nls,
    name: first(nls && `NDN-${nls}-NAME`, `ND-${id}-NAME`) || id,
    icon: first(nls && `NDN-${nls}-ICON`, `ND-${id}-ICON`) || null,
    properties: named(within(element, "sts"), "st").map((st) => ({
      id: attribute(st, "id"),
      editor: attribute(st, "editor"),
      name: of("ST", attribute(st, "id")),
      hide: isTrue(attribute(st, "hide")),
    })),
    sends: commands("sends"),
    accepts: commands("accepts"),
    controlLinks: links("ctl"),
    respondLinks: links("rsp"),
  };
}

function command(element: XmlElement, nls: string | null, labels: Labels): CommandDefinition {
  const id = attribute(element, "id");
  const first = firstLabel(labels);
  return {
    id,
    name: first(nls && `CMD-${nls}-${id}-NAME`, `CMD-${id}-NAME`),
    native: false,
    format: first(nls && `PGM-CMD-${nls}-${id}-FMT`, `PGM-CMD-${id}-FMT`) || null,
    parameters: element.children.filter(({ name }) => name === "p").map((p) => parameter(p, nls, labels)),
  };
}

function parameter(element: XmlElement, nls: string | null, labels: Labels): CommandParameter {
  const id = attribute(element, "id");
  const editorId = attribute(element, "editor");
  const prefix = attribute(element, "nls") || nls || editorId;
  return {
    id,
    editor: editorId,
    name: firstLabel(labels)(`CMDP-${prefix}-${id}-NAME`, `CMDP-${id}-NAME`),
    init: attribute(element, "init") || null,
    optional: isTrue(attribute(element, "optional")),
  };
}

function editor(element: XmlElement, labels: Labels): Editor {
  const ranges = element.children.filter(({ name }) => name.toLowerCase() === "range");
  return { id: attribute(element, "id"), ranges: ranges.map((range) => editorRange(range, labels)) };
}

function editorRange(element: XmlElement, labels: Labels): EditorRange {
  const parts = attribute(element, "subset")
    .split(",")
    .map((part) => part.trim());
  const isPlain = parts.every((part) => /^\d+(?:-\d+)?$/.test(part));
  const bounds = isPlain || !parts.every((part) => SUBSET.test(part)) ? null : boundsOf(parts);
  const prefix = attribute(element, "nls");
  return {
    uom: countOf(attribute(element, "uom")),
    prec: Math.min(countOf(attribute(element, "prec")), PREC_MAX),
    min: bounds?.[0] ?? numberOf(attribute(element, "min")),
    max: bounds?.[1] ?? numberOf(attribute(element, "max")),
    step: numberOf(attribute(element, "step")),
    subset: isPlain ? parts.join(",") : null,
    names: prefix === "" ? new Map() : valueNames(prefix, labels),
  };
}

/** A list with negative values has no form of its own inside: its first and last value are the bounds. */
function boundsOf(parts: readonly string[]): readonly [number, number] {
  const values = parts.flatMap((part) => [...part.matchAll(/(?:^|(?<=\d)-)(-?\d+)/g)].map((match) => Number(match[1])));
  return [Math.min(...values), Math.max(...values)];
}

function valueNames(prefix: string, labels: Labels): ReadonlyMap<number, string> {
  const start = `${prefix.toUpperCase().replace(/-$/, "")}-`;
  return new Map(
    [...labels].flatMap(([key, label]): readonly (readonly [number, string])[] => {
      const value = key.startsWith(start) ? key.slice(start.length) : "";
      return /^-?\d{1,15}$/.test(value) ? [[Number(value), label]] : [];
    }),
  );
}

/** The first of the keys that has a label; null stands for an impossible key. */
function firstLabel(labels: Labels): (...keys: readonly (string | null)[]) => string {
  return (...keys) => {
    for (const key of keys) {
      const label = key === null ? undefined : labels.get(key.toUpperCase());
      if (label !== undefined) return label;
    }
    return "";
  };
}

/** Children of this name, case-insensitive, that have the attribute. */
function named(element: XmlElement, name: string, key = "id"): readonly XmlElement[] {
  return element.children.filter((child) => child.name.toLowerCase() === name && attribute(child, key) !== "");
}

const NOTHING: XmlElement = { name: "", attributes: new Map(), children: [], text: "", closesItself: true, line: 0 };

function within(element: XmlElement, ...path: readonly string[]): XmlElement {
  return path.reduce((at, name) => at.children.find((child) => child.name.toLowerCase() === name) ?? NOTHING, element);
}

function attribute(element: XmlElement, name: string): string {
  return (element.attributes.get(name) ?? "").trim();
}

function isTrue(text: string): boolean {
  return /^t/i.test(text);
}

function countOf(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}

function numberOf(text: string): number | null {
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
