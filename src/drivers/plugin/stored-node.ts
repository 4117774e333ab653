/** A node as its plugin added it: the fields that the home does not store and the plugin reads back. */

import { PLUGINS } from "../../families.ts";
import { foreignText } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import type { DriverHost, NodeSpec } from "../driver.ts";
import { reportedUom, writtenValue } from "./driver-value.ts";

type StoredDriver = { readonly driver: string; readonly uom: number };

export type StoredNode = {
  readonly address: string;
  readonly nodeDefId: string;
  readonly primaryNode: string;
  /** Four dotted numbers. */
  readonly hint: string;
  /** Whatever the plugin gave. */
  readonly private: unknown;
  readonly timeAdded: number;
  readonly drivers: readonly StoredDriver[];
};

/** The requested node, or the sentence of the refusal. */
type NodeRequest = { readonly node: StoredNode; readonly name: string; readonly renames: boolean };

const ADDRESS_CHARS_MAX = 14;
const ADDRESS = /^[^\s<>`~!@#$%^&*(){}[\]?/\\;:"'\p{C}-]+$/u;
const NODEDEF_ID = /^[A-Za-z0-9_.-]{1,64}$/;
const DRIVER_ID = /^[A-Za-z0-9_.-]{1,32}$/;
const NO_HINT = "0.0.0.0";

/** @returns the sentence of the refusal, or null. */
export function refusalOfNodedef(id: string): string | null {
  return NODEDEF_ID.test(id) ? null : "The nodeDefId is missing or malformed.";
}

export function readNode(item: Readonly<Record<string, unknown>>, nowMs: number): NodeRequest | string {
  const address = foreignText(item.address);
  if (address.length > ADDRESS_CHARS_MAX) return `The address is longer than ${ADDRESS_CHARS_MAX} characters.`;
  if (!ADDRESS.test(address)) return "The address is empty or has characters that an address cannot have.";
  const nodeDefId = foreignText(item.nodeDefId);
  const refusal = refusalOfNodedef(nodeDefId);
  if (refusal !== null) return refusal;
  const drivers = (Array.isArray(item.drivers) ? item.drivers : []).filter(isRecord);
  return {
    name: typeof item.name === "string" ? item.name : address,
    renames: item.rename === true,
    node: {
      address,
      nodeDefId,
      primaryNode: foreignText(item.primaryNode ?? address),
      hint: hintOf(item.hint),
      private: item.private ?? null,
      timeAdded: nowMs,
      drivers: drivers.flatMap(({ driver, uom }) =>
        DRIVER_ID.test(foreignText(driver)) ? [{ driver: foreignText(driver), uom: reportedUom(uom) }] : [],
      ),
    },
  };
}

/** `[1,2,9,0]`, `"0x01020900"`, or none. */
function hintOf(given: unknown): string {
  if (
    Array.isArray(given) &&
    given.length === 4 &&
    given.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  ) {
    return given.join(".");
  }
  const [, hex] = /^0x([0-9a-f]{8})$/i.exec(foreignText(given)) ?? [];
  return hex === undefined ? NO_HINT : [...Buffer.from(hex, "hex")].join(".");
}

/** The prefix of the addresses of a slot. */
export function addressPrefix(slot: number): string {
  return `n${String(slot).padStart(3, "0")}_`;
}

export function specOf(node: StoredNode, name: string, slot: number): NodeSpec {
  const prefix = addressPrefix(slot);
  return {
    address: prefix + node.address,
    name,
    nodeDefId: node.nodeDefId,
    family: PLUGINS.id,
    instance: slot,
    type: node.hint,
    primary: prefix + node.primaryNode,
    devtype: null,
  };
}

/** The node as answers and `config` give it, with the owner's name and the values of now. */
export function recordOf(
  node: StoredNode,
  host: DriverHost,
  { uuid, slot }: { readonly uuid: string; readonly slot: number },
): object {
  const seen = host.seen(addressPrefix(slot) + node.address);
  const ids = new Map(node.drivers.map(({ driver, uom }) => [driver, uom]));
  for (const id of seen?.properties.keys() ?? []) if (!ids.has(id)) ids.set(id, 0);
  return {
    id: `${uuid}_${slot}_${node.address}`,
    uuid,
    profileNum: slot,
    address: node.address,
    name: seen?.name ?? node.address,
    nodeDefId: node.nodeDefId,
    nls: null,
    hint: `0x${Buffer.from(node.hint.split(".").map(Number)).toString("hex")}`,
    controller: 0,
    primaryNode: node.primaryNode,
    isPrimary: node.primaryNode === node.address ? 1 : 0,
    private: node.private,
    enabled: (seen?.enabled ?? true) ? 1 : 0,
    timeAdded: node.timeAdded,
    timeModified: node.timeAdded,
    dbVersion: 1,
    drivers: [...ids].map(([driver, uom]) => {
      const property = seen?.properties.get(driver);
      const value =
        property && property.value !== null
          ? writtenValue({ value: property.value, prec: property.prec })
          : (property?.text ?? "0");
      return {
        driver,
        value,
        uom: property?.uom ?? uom,
        text: property?.value === null ? null : (property?.text ?? null),
      };
    }),
  };
}
