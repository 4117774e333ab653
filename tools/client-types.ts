/**
 * The types of the client's bodies, from the schemas of the routes: one member for each route that the library names, and an
 * exported type for every object schema with a title; and the roles of nodes, which are in a document of a load.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "../src/http/route.ts";
import type { JsonSchema } from "../src/http/schema.ts";
import { UOM_VALUE_ROWS } from "../src/profile/builtin/uom-table.ts";
import { NODE_USES } from "../src/profile/node-uses.ts";
import { NODE_ROLES } from "../src/profile/roles-table.ts";
import { NAMED_STATES } from "../src/profile/status-words.ts";

export const CLIENT_TYPES = "client/src/model/routes.ts";
/** What service and client decide alike, with its home in the service. */
const CLIENT_COPIES: readonly string[] = ["status-words.ts", "command-words.ts", "role-words.ts"];
const COPIES = "client/src/model";

const HEADER =
  "/** Bodies of the JSON interface, by route. Written by `npm run client:types` from the schemas of the controller. */\n";

/** @throws Error when two schemas with the same title differ */
export function clientTypes(routes: readonly Route[]): string {
  const named = new Map<string, string>();
  const used = routesInClient();
  const members = routes
    .filter(({ method, path }) => used.has(`${method} ${path}`))
    .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
    .map(({ method, path, body, data, beside = {} }) => {
      const parts = {
        ...(body && { body: typeOf(body, "    ", named) }),
        data: data ? typeOf(data, "    ", named) : "null",
        ...(Object.keys(beside).length > 0 && {
          beside: typeOf({ type: "object", properties: beside, required: Object.keys(beside) }, "    ", named),
        }),
      };
      const lines = Object.entries(parts).map(([name, text]) => `    readonly ${name}: ${text};\n`);
      return `  readonly "${method} ${path}": {\n${lines.join("")}  };\n`;
    });
  const types = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `export type ${name} = ${text};\n`);
  types.push(`export type NodeRole = ${oneOf(NODE_ROLES)};\n`, `export type NodeUse = ${oneOf(NODE_USES)};\n`);
  return [HEADER, `export type Routes = {\n${members.join("")}};\n`, ...types].join("\n");
}

function oneOf(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(" | ");
}

function routesInClient(): ReadonlySet<string> {
  const folder = join(import.meta.dirname, "../client/src/commands");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/"([A-Z]+ \/api\/[^"]+)"/g)].map(([, route = ""]) => route)),
  );
}

/** By path: the same code, with the names of units as they are now instead of the table of all units. */
export function clientCopies(): ReadonlyMap<string, string> {
  const rows = NAMED_STATES.map((uom) => `  ${uom}: ${JSON.stringify(UOM_VALUE_ROWS[uom])},\n`).join("");
  return new Map(
    CLIENT_COPIES.map((name) => {
      const text = readFileSync(join(import.meta.dirname, "../src/profile", name), "utf8")
        .replace(
          'import type { NodeUse } from "./node-uses.ts";\nimport type { NodeRole }',
          "import type { NodeRole, NodeUse }",
        )
        .replace('"./roles-table.ts"', '"./routes.ts"')
        .replace("export const NAMED_STATES", "const NAMED_STATES")
        .replace("export const UNKNOWN", "const UNKNOWN")
        .replace(
          /(import { UOM_VALUE_ROWS }.*\n)((?:import.*\n)*)/,
          `$2\nconst UOM_VALUE_ROWS: Readonly<Record<number, string>> = {\n${rows}};\n`,
        );
      return [`${COPIES}/${name}`, `// Written by \`npm run client:types\` from src/profile/${name}.\n\n${text}`];
    }),
  );
}

/** @param named filled with the types that have a title */
function typeOf(schema: JsonSchema, indent: string, named: Map<string, string>): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent, named)).join(" | ");
  if (schema.type === undefined) return "unknown";
  const names = typeof schema.type === "string" ? [schema.type] : schema.type;
  return names.map((name) => plainType(name, schema, indent, named)).join(" | ");
}

function plainType(
  name: string,
  { title, items, ...schema }: JsonSchema,
  indent: string,
  named: Map<string, string>,
): string {
  if (name === "integer") return "number";
  if (name === "array") {
    const item = items ? typeOf(items, indent, named) : "unknown";
    return item.includes(" | ") && !item.startsWith("{") ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (name !== "object") return name;
  if (title === undefined) return objectType(schema, indent, named);
  const text = objectType(schema, "", named);
  if ((named.get(title) ?? text) !== text) throw new Error(`Two schemas have the title ${title}.`);
  named.set(title, text);
  return title;
}

function objectType(
  { properties, required = [], additionalProperties }: JsonSchema,
  indent: string,
  named: Map<string, string>,
): string {
  const entries = Object.entries(properties ?? {});
  const rest = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent, named) : "unknown";
  if (entries.length === 0) return `Readonly<Record<string, ${rest}>>`;
  const inner = `${indent}  `;
  const lines = entries.map(([name, member]) => {
    const comment = member.description ? `${inner}/** ${member.description} */\n` : "";
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment}${inner}readonly ${key}${required.includes(name) ? "" : "?"}: ${typeOf(member, inner, named)};\n`;
  });
  const known = `{\n${lines.join("")}${indent}}`;
  return typeof additionalProperties === "object" ? `${known} & Readonly<Record<string, unknown>>` : known;
}
