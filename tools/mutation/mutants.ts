/**
 * Small faults of the kind that a tired person writes, found in the syntax tree of a source file: a condition that is
 * always true, a boundary off by one, a statement that is missing. Texts are left alone: most are sentences for people.
 */

import { parseSync } from "vite";

export type Mutant = {
  /** Path from the root of the checkout. */
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  /** Offsets of what is replaced. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
};

type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;
type Replacement = readonly [operator: string, replacement: string, target?: SyntaxNode];

/** Every mutant of a file that still parses, in the order of the text. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  visit(program as unknown as SyntaxNode, (node) => {
    for (const [operator, replacement, target = node] of replacementsOf(node, text)) {
      const { start, end } = target;
      found.push({ file, line: text.slice(0, start).split("\n").length, operator, start, end, replacement });
    }
  });
  return found
    .filter((mutant) => parseSync(file, applyMutant(text, mutant)).errors.length === 0)
    .sort((one, other) => one.start - other.start);
}

export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** The line that a mutant changes, as it becomes, without its indentation: the name by which a mutant is known. */
export function mutatedLine(text: string, mutant: Mutant): string {
  return applyMutant(text, mutant).split("\n")[mutant.line - 1]?.trim() ?? "";
}

function visit(node: SyntaxNode, act: (node: SyntaxNode) => void): void {
  if (isLeftAlone(node)) return;
  act(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, act);
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

/** Types do not run; a failed invariant and a line of the log are for us. */
function isLeftAlone(node: SyntaxNode): boolean {
  const { type } = node;
  if (type === "AwaitExpression" && isNode(node.argument)) return isLeftAlone(node.argument);
  if (type === "ImportDeclaration" || type === "TSTypeAliasDeclaration" || type === "TSInterfaceDeclaration")
    return true;
  if (type === "TSTypeAnnotation" || type === "TSTypeParameterInstantiation") return true;
  return type === "CallExpression" && /^invariant$|(^|\.)log\.\w+$/.test(calleeOf(node));
}

function calleeOf(node: SyntaxNode): string {
  const callee = node.callee;
  if (!isNode(callee)) return "";
  if (callee.type === "Identifier") return String(callee.name);
  if (callee.type !== "MemberExpression" || !isNode(callee.object) || !isNode(callee.property)) return "";
  const object =
    callee.object.type === "Identifier" ? String(callee.object.name) : calleeOf({ ...node, callee: callee.object });
  return `${object}.${String(callee.property.name)}`;
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
};
const ASSIGNMENTS: Readonly<Record<string, string>> = { "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=" };
const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  some: "every",
  every: "some",
  floor: "ceil",
  ceil: "floor",
  startsWith: "endsWith",
  endsWith: "startsWith",
  shift: "pop",
  pop: "shift",
};
/** Methods whose result may as well be the thing itself. */
const DROPPED_METHODS: ReadonlySet<string> = new Set([
  "filter",
  "sort",
  "toSorted",
  "slice",
  "trim",
  "toLowerCase",
  "reverse",
]);

function replacementsOf(node: SyntaxNode, text: string): readonly Replacement[] {
  switch (node.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return constantTests(node, ["true", "false"]);
    case "WhileStatement":
      return [...constantTests(node, ["false"]), ["once", `if${text.slice(node.start + "while".length, node.end)}`]];
    case "BinaryExpression":
    case "LogicalExpression":
      return binary(node, text);
    case "UnaryExpression":
      return unary(node, text);
    case "AssignmentExpression":
      return operatorBetween(node, text, [ASSIGNMENTS[String(node.operator)]]);
    case "UpdateExpression":
      return [["update", text.slice(node.start, node.end).replace(/\+\+|--/, (sign) => (sign === "++" ? "--" : "++"))]];
    case "Literal":
      return literal(node);
    case "ExpressionStatement":
      return node.directive || (isNode(node.expression) && isLeftAlone(node.expression)) ? [] : [["statement", ";"]];
    case "ContinueStatement":
      return [["statement", ";"]];
    case "AwaitExpression":
      return isNode(node.argument) ? [["await", text.slice(node.argument.start, node.argument.end)]] : [];
    case "CallExpression":
      return call(node, text);
    default:
      return [];
  }
}

function constantTests(node: SyntaxNode, values: readonly string[]): readonly Replacement[] {
  const test = node.test;
  return isNode(test) ? values.map((value) => ["condition", value, test]) : [];
}

function binary(node: SyntaxNode, text: string): readonly Replacement[] {
  const { left, operator } = node;
  if (operator === "??" && isNode(left)) return [["default", text.slice(left.start, left.end)]];
  if (operator === "+" && [node.left, node.right].some(isText)) return [];
  return operatorBetween(node, text, BINARY[String(operator)] ?? []);
}

function isText(node: unknown): boolean {
  return (
    isNode(node) && (node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string"))
  );
}

function operatorBetween(
  node: SyntaxNode,
  text: string,
  others: readonly (string | undefined)[],
): readonly Replacement[] {
  const { left, right, operator } = node;
  if (!isNode(left) || !isNode(right)) return [];
  const at = text.indexOf(String(operator), left.end);
  const target = { type: "Operator", start: at, end: at + String(operator).length };
  return others.flatMap((other): Replacement[] => (other === undefined ? [] : [["operator", other, target]]));
}

function unary({ operator, argument }: SyntaxNode, text: string): readonly Replacement[] {
  if (!isNode(argument) || (operator !== "!" && operator !== "-")) return [];
  return [["sign", text.slice(argument.start, argument.end)]];
}

function literal({ value }: SyntaxNode): readonly Replacement[] {
  if (typeof value === "boolean") return [["constant", String(!value)]];
  // A limit is wrong by a digit, or a first and a second are mixed up.
  if (typeof value === "number") return [["constant", String(value === 0 ? 1 : value === 1 ? 0 : 10 * value)]];
  return [];
}

function call({ callee }: SyntaxNode, text: string): readonly Replacement[] {
  if (!isNode(callee) || callee.type !== "MemberExpression" || !isNode(callee.property) || !isNode(callee.object))
    return [];
  const name = String(callee.property.name);
  const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (other !== undefined) return [["method", other, callee.property]];
  // The arguments stay, as the arguments of a function that ignores them.
  const object = text.slice(callee.object.start, callee.object.end);
  return DROPPED_METHODS.has(name) ? [["method", `(() => ${object})`, callee]] : [];
}
