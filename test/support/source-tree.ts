/** The source tree as the tidy test sees it: files, imports (types counted), exports, functions with their length. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "vite";

type SourceImport = { readonly from: string; readonly names: readonly string[]; readonly isAll: boolean };
/** A regular expression; of a composed one, the source as it is written. */
export type SourceExpression = { readonly source: string; readonly flags: string; readonly isComposed: boolean };
type SourceFunction = { readonly name: string; readonly lines: number };

export type SourceFile = {
  /** Relative to the project's root, with "/". */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Imports of the own tree, resolved to paths of the same form; packages and built-ins are left out. */
  readonly imports: readonly SourceImport[];
  readonly packages: readonly string[];
  readonly exports: readonly string[];
  readonly functions: readonly SourceFunction[];
  readonly expressions: readonly SourceExpression[];
};

type AstNode = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

const ROOT = resolve(import.meta.dirname, "../..");

export function readTree(...folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|tsx|js|mjs)$/.test(name) && !name.includes("node_modules"))
      .map((name) => readSource(join(folder, name).replaceAll("\\", "/"))),
  );
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function listFolder(path: string): readonly string[] {
  return readdirSync(join(ROOT, path));
}

function languageOf(path: string): "ts" | "tsx" | "js" {
  if (path.endsWith(".tsx")) return "tsx";
  return path.endsWith(".ts") ? "ts" : "js";
}

function readSource(path: string): SourceFile {
  const text = readText(path);
  const body = (parseAst(text, { lang: languageOf(path) }) as unknown as { body: AstNode[] }).body;
  const nodes = body.flatMap(walk);
  const imports = nodes.flatMap((node) => importOf(node, path));
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    imports: imports.filter(({ from }) => !from.startsWith("package:")),
    packages: imports
      .filter(({ from }) => from.startsWith("package:"))
      .map(({ from }) => from.slice("package:".length)),
    exports: body.flatMap(exportsOf),
    functions: nodes.flatMap((node) => functionOf(node, text)),
    expressions: nodes.flatMap((node) => expressionOf(node, text)),
  };
}

function walk(node: AstNode): readonly AstNode[] {
  const children = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]));
  const nodes = children.filter(
    (value): value is AstNode => typeof value === "object" && value !== null && "type" in value,
  );
  return [node, ...nodes.flatMap(walk)];
}

function importOf(node: AstNode, path: string): readonly SourceImport[] {
  const isImport = ["ImportDeclaration", "ImportExpression", "ExportAllDeclaration", "ExportNamedDeclaration"].includes(
    node.type,
  );
  const source = node.source as { readonly value?: unknown } | null | undefined;
  if (!isImport || typeof source?.value !== "string") return [];
  const specifiers = (node.specifiers ?? []) as readonly {
    readonly imported?: { readonly name: string };
    readonly local?: { readonly name: string };
  }[];
  const names = specifiers.flatMap((specifier) => specifier.imported?.name ?? []);
  const isAll = node.type !== "ImportDeclaration" || specifiers.length !== names.length;
  return [{ from: target(source.value, path), names, isAll }];
}

const SIMULATORS = "@domovoi/simulators/";

function target(specifier: string, path: string): string {
  if (specifier.startsWith(SIMULATORS)) return `simulators/${specifier.slice(SIMULATORS.length)}`;
  if (!specifier.startsWith(".")) return `package:${specifier}`;
  return relative(ROOT, resolve(ROOT, dirname(path), specifier)).replaceAll("\\", "/");
}

/** A name, or a list of names. */
type Bound = { readonly name: string; readonly elements?: readonly { readonly name: string }[] };

function exportsOf(node: AstNode): readonly string[] {
  if (node.type !== "ExportNamedDeclaration") return [];
  const declaration = node.declaration as (AstNode & { id?: { name: string }; declarations?: { id: Bound }[] }) | null;
  if (declaration?.declarations) {
    return declaration.declarations.flatMap(({ id }) => id.elements?.map(({ name }) => name) ?? [id.name]);
  }
  if (declaration?.id) return [declaration.id.name];
  const specifiers = (node.specifiers ?? []) as readonly { readonly exported: { readonly name: string } }[];
  return specifiers.map(({ exported }) => exported.name);
}

function functionOf(node: AstNode, text: string): readonly SourceFunction[] {
  if (!["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type)) return [];
  const lines = text.slice(node.start, node.end).split("\n").length;
  const at = text.slice(0, node.start).split("\n").length;
  return [{ name: `${(node.id as { name?: string } | null)?.name ?? "function"} at line ${at}`, lines }];
}

function expressionOf(node: AstNode, text: string): readonly SourceExpression[] {
  const literal = node.regex as { readonly pattern: string; readonly flags: string } | undefined;
  if (literal) return [{ source: literal.pattern, flags: literal.flags, isComposed: false }];
  const composed = (written: AstNode | undefined, flags: string) =>
    written
      ? [{ source: plainTemplate(written) ?? text.slice(written.start, written.end), flags, isComposed: true }]
      : [];
  if (node.type === "NewExpression" && (node.callee as { readonly name?: string }).name === "RegExp") {
    const [pattern, flags] = node.arguments as readonly (AstNode & { readonly value?: string })[];
    return composed(pattern, flags?.value ?? "");
  }
  // A pattern of a schema.
  const isPattern = node.type === "Property" && (node.key as { readonly name?: string }).name === "pattern";
  const value = node.value as AstNode | undefined;
  return isPattern && value && /Literal$/.test(value.type) ? composed(value, "u") : [];
}

/** A template with its names; any other expression in it is a word. */
function plainTemplate(node: AstNode): string | null {
  if (node.type !== "TemplateLiteral") return null;
  const quasis = node.quasis as readonly { readonly value: { readonly raw: string } }[];
  const parts = (node.expressions as readonly { readonly name?: string }[]).map(({ name }) =>
    name === undefined ? "word" : `\${${name}}`,
  );
  return `\`${quasis.map(({ value }, at) => value.raw + (parts[at] ?? "")).join("")}\``;
}
