/** The operations on the network that need no file, for clients that know nothing of Z-Wave. */

import type { Commissioning, OperationKind } from "../../commissioning.ts";
import type { RadioRequest } from "../../radio-port.ts";
import type { SettingSchema, SettingsSchema } from "../../settings-schema.ts";

const ADDRESS: SettingSchema = {
  type: "string",
  title: "Device",
  description: "The address of the device's first node, such as ZW005_1.",
};

function input(properties: SettingsSchema["properties"], ...required: readonly string[]): SettingsSchema {
  return { type: "object", required, properties, additionalProperties: false };
}

function security(description: string, ...names: readonly string[]): SettingSchema {
  return { type: "string", title: "Security", description, enum: names, default: names[0] ?? "" };
}

export const OPERATION_KINDS: Commissioning["kinds"] = [
  {
    kind: "include",
    name: "Include a device",
    about: "Adds a device to the network when its button is pressed.",
    input: input({
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
    input: input({}),
  },
  {
    kind: "replace",
    name: "Replace a failed device",
    about: "Adds a device as the replacement of one that no longer answers.",
    input: input(
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
    input: input({ address: ADDRESS }),
  },
];

function onDevice(kind: string, name: string, about: string): OperationKind {
  return { kind, name, about, input: input({ address: ADDRESS }, "address") };
}

/** @param given fits the schema of the kind. @returns null for an unknown kind. */
export function radioRequestOf(kind: string, given: Readonly<Record<string, unknown>>): RadioRequest | null {
  const known = OPERATION_KINDS.find((each) => each.kind === kind);
  if (!known) return null;
  const { security: level, address } = known.input.properties;
  const members = {
    ...(level ? { security: given.security ?? level.default } : {}),
    ...(address ? { address: given.address ?? null } : {}),
  };
  // The schema of the kind is the type of the request.
  return { kind, ...members } as RadioRequest;
}
