/**
 * Real devices, from their records in `test/fixtures/devices/`: interviewed by the real library on the simulated
 * radio, and compared with their stored nodes. `RECORD_GOLDEN=1` writes these again; review the diff.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DevicePlan, EndpointPlan } from "../../../simulators/zwave/device-plan.ts";
import { parseDevicePlan } from "../../../simulators/zwave/device-plan.ts";
import { acceptValue } from "../../../src/profile/editor-value.ts";
import type { CommandDefinition } from "../../../src/profile/nodedef.ts";
import { roleOf } from "../../../src/profile/roles.ts";
import { SimulatedRadio, settled, type WaitingHost } from "./simulated-adapter.ts";

const RECORDS = join(import.meta.dirname, "../../fixtures/devices");
const GOLDENS = join(RECORDS, "golden");
const INTERVIEW_MS = 120_000;
/** Networks side by side: where one waits for a device that answers nothing, as some do, the others go on. */
const LINES = 3;
/** The adapter is node 1. */
const FIRST_ID = 2;

const files = readdirSync(RECORDS).filter((file) => file.endsWith(".json"));
const plans = files.map((file): DevicePlan => parseDevicePlan(JSON.parse(readFileSync(join(RECORDS, file), "utf8"))));

/**
 * The record, awake and without encryption. The nodes of a device depend on neither; sleeping and key exchange have
 * tests of their own, and take seconds for each device.
 */
function asInterviewed(plan: DevicePlan): DevicePlan {
  const listening = "always" as const;
  return { ...plan, ...inTheClear(plan), listening, security: [], endpoints: plan.endpoints.map(inTheClear) };
}

function inTheClear(endpoint: EndpointPlan): EndpointPlan {
  const classes = Object.entries(endpoint.classes)
    .filter(([name]) => !name.startsWith("Security"))
    .map(([name, { secure: _secure, ...rest }]) => [name, rest]);
  return { ...endpoint, classes: Object.fromEntries(classes) };
}

const spelled = ({ id, parameters }: CommandDefinition) =>
  `${id}(${parameters.map((one) => `${one.id}${one.optional ? "?" : ""}: ${one.editor}`).join(", ")})`;

/** The nodes of a device, in a readable form. */
function known(host: WaitingHost, nodeId: number) {
  const prefix = `ZW${String(nodeId).padStart(3, "0")}_`;
  const nodes = [...host.nodes.values()].filter(({ address }) => address.startsWith(prefix));
  return nodes.map((node) => {
    const nodedef = host.nodedefOf(node.address);
    return {
      node: node.address.slice(prefix.length),
      name: node.name.replace(/^ZW \d+ /, ""), // The number is this test's own.
      devtype: node.devtype,
      nodedef: nodedef?.id,
      role: roleOf(host.profile, node),
      properties: Object.fromEntries(
        nodedef?.properties.map(({ id, name, editor }) => [id, `${name} ${editor}`]) ?? [],
      ),
      accepts: nodedef?.accepts.map(spelled),
      sends: nodedef?.sends.map(spelled),
    };
  });
}

describe("recorded devices", () => {
  let lines: readonly (readonly [services: SimulatedRadio, host: WaitingHost])[];

  beforeAll(async () => {
    const shares = Array.from({ length: LINES }, (_, line) => plans.filter((_plan, index) => index % LINES === line));
    lines = await Promise.all(
      shares.map(async (share) => {
        const services = await SimulatedRadio.create(share.map(asInterviewed));
        const { driver, host } = await services.started();
        await settled(driver);
        return [services, host] as const;
      }),
    );
  }, INTERVIEW_MS);
  afterAll(() => Promise.all(lines.map(([services]) => services.stop())));

  test.each(files.map((file, index) => [file, index] as const))("%s is known as before", (file, index) => {
    const host = lines[index % LINES]?.[1];
    const seen = host && known(host, FIRST_ID + Math.floor(index / LINES));
    const golden = join(GOLDENS, file);
    if (process.env.RECORD_GOLDEN) writeFileSync(golden, `${JSON.stringify(seen, null, 2)}\n`);
    expect(seen).toEqual(JSON.parse(readFileSync(golden, "utf8")));
  });

  test("no device breaks the contract of drivers", () => {
    expect(lines.flatMap(([, host]) => host.violations)).toEqual([]);
  });

  test("every value that a device reported is valid for its property's editor", () => {
    const misfits = lines.flatMap(([, host]) =>
      host.reports
        // Error values of a device that answers have no unit, on real hardware too.
        .filter(({ id, value }) => id !== "ERR" && value !== null)
        .filter(({ address, id, value, uom, prec }) => {
          const property = host.nodedefOf(address)?.properties.find((each) => each.id === id);
          return !acceptValue(host.profile.editor(property?.editor ?? "", 4, 1), { value: value ?? 0, uom, prec });
        })
        .map(({ address, id, value, uom }) => `${host.nodes.get(address)?.name}: ${id} ${value} ${uom}`),
    );
    expect(misfits).toEqual([]);
  });

  test("no two properties of a node have one name", () => {
    const names = lines.flatMap(([, host]) =>
      [...host.nodes.keys()].map((address) => host.nodedefOf(address)?.properties.map(({ name }) => name) ?? []),
    );
    expect(names.filter((each) => new Set(each).size < each.length)).toEqual([]);
  });

  test("there are at least 25 of them, and no two are the same product", () => {
    const products = plans.map(({ manufacturerId, productType, productId }) =>
      [manufacturerId, productType, productId].join("."),
    );
    expect(new Set(products).size).toBeGreaterThanOrEqual(25);
  });
});
