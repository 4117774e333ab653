/** The operations on the network: how clients that know nothing of Z-Wave request them, and what they are inside. */

import type { Commissioning, OperationKind } from "../../commissioning.ts";
import { membersSchema, type SettingSchema } from "../../settings-schema.ts";

/** Addresses are those of a device's first node. */
export type RadioRequest =
  /** `best`: S2 if the device can, S0 only where it must; `insecure` has to be requested, it is never assumed. */
  | { readonly kind: "include"; readonly security: InclusionSecurity }
  | { readonly kind: "exclude" }
  /** Includes a new device under the address of a broken one. */
  | { readonly kind: "replace"; readonly address: string; readonly security: "S2" | "S0" | "insecure" }
  | { readonly kind: "remove-failed"; readonly address: string }
  | { readonly kind: "interview"; readonly address: string }
  /** Without an address all devices of the network. */
  | { readonly kind: "rebuild-routes"; readonly address: string | null }
  | { readonly kind: "update-firmware"; readonly address: string; readonly file: Uint8Array; readonly fileName: string }
  /** Reads the memory of the adapter; `savedMemory` gives it. */
  | { readonly kind: "backup" }
  | { readonly kind: "restore"; readonly memory: Uint8Array; readonly confirm: string | null }
  /** The adapter forgets its whole network. */
  | { readonly kind: "reset"; readonly confirm: string };

export type InclusionSecurity = "best" | "S0" | "insecure";

const ADDRESS: SettingSchema = {
  type: "string",
  title: "Device",
  description: "The address of the device's first node, such as ZW005_1.",
};

const CONFIRM: SettingSchema = {
  type: "string",
  title: "Home id",
  description: "The home id of the network, as a confirmation.",
};

function security(description: string, ...names: readonly string[]): SettingSchema {
  return { type: "string", title: "Security", description, enum: names, default: names[0] ?? "" };
}

export const OPERATION_KINDS: Commissioning["kinds"] = [
  {
    kind: "include",
    name: "Include a device",
    about: "Adds a device to the network when its button is pressed.",
    input: membersSchema({
      security: security(
        "best: S2 if the device supports it, S0 only if the device requires it. insecure: no encryption.",
        "best",
        "S0",
        "insecure",
      ),
    }),
  },
  {
    kind: "exclude",
    name: "Exclude a device",
    about: "Removes a device when its button is pressed, also one of another network.",
    input: membersSchema({}),
  },
  {
    kind: "replace",
    name: "Replace a failed device",
    about: "Adds a device as the replacement of one that no longer answers.",
    input: membersSchema(
      { address: ADDRESS, security: security("As for include, without a choice.", "S2", "S0", "insecure") },
      "address",
    ),
  },
  onDevice("remove-failed", "Remove a failed device", "Removes a device that no longer answers."),
  onDevice("interview", "Interview a device", "Queries a device again for its capabilities."),
  {
    kind: "rebuild-routes",
    name: "Rebuild routes",
    about: "Rebuilds the routes to one device, or to all that are awake.",
    input: membersSchema({ address: ADDRESS }),
  },
  {
    kind: "backup",
    name: "Back up the adapter",
    about: "Reads the memory of the adapter. The file can then be downloaded.",
    input: membersSchema({}),
  },
  {
    kind: "reset",
    name: "Reset the adapter",
    about: "Deletes the network. All devices have to be excluded and included again.",
    input: membersSchema({ confirm: CONFIRM }, "confirm"),
  },
];

function onDevice(kind: string, name: string, about: string): OperationKind {
  return { kind, name, about, input: membersSchema({ address: ADDRESS }, "address") };
}

/** @param given fits the schema of the kind. @returns null for an unknown kind. */
export function radioRequestOf(kind: string, given: Readonly<Record<string, unknown>>): RadioRequest | null {
  const known = OPERATION_KINDS.find((each) => each.kind === kind);
  if (!known) return null;
  const members = Object.entries(known.input.properties).map(
    ([name, { default: usual = null }]) => [name, given[name] ?? usual] as const,
  );
  // The schema of the kind is the type of the request.
  return { kind, ...Object.fromEntries(members) } as RadioRequest;
}
