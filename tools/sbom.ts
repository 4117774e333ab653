/**
 * `npm run sbom`: the bill of materials (CycloneDX) of what the service carries, on standard output. npm makes it; what only
 * builds and tests is taken out here, because npm's own `--omit dev` also takes out what both need.
 */

import { execFileSync } from "node:child_process";

type Component = {
  readonly "bom-ref": string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
};
type Bill = {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};

const BYTES_MAX = 64 * 1024 * 1024;

const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], { encoding: "utf8", maxBuffer: BYTES_MAX });
const bill = JSON.parse(text) as Bill;
const components = bill.components.filter(({ properties = [] }) => !properties.some(isDevelopment));
const left = new Set(bill.components.map((component) => component["bom-ref"]));
for (const component of components) left.delete(component["bom-ref"]);
const dependencies = bill.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !left.has(other)) }));
process.stdout.write(`${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`);

function isDevelopment({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return name === "cdx:npm:package:development" && value === "true";
}
