/** Writes all variables as CSV: node examples/variables-to-csv.ts > variables.csv */

import { connectFromEnvironment } from "./connect.ts";

await using home = await connectFromEnvironment();

console.log("id,name,type,value,init,written");
for (const { key, name, type, value, init, ts } of home.variables) {
  console.log([key, name, type === 1 ? "integer" : "state", value, init, ts ?? ""].map(cell).join(","));
}

/** Quoted where it must be; a spreadsheet takes what begins with "=" for a formula, so an apostrophe goes before it. */
function cell(value: string | number): string {
  const text = typeof value === "string" ? value.replace(/^[=+@\t\r-]/, "'$&") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
