/** What clients order of a radio network, read strictly. */

import type { ProvisioningEntry, RadioAnswer, RadioWish } from "../../../drivers/radio-port.ts";
import type { RadioOperationKind } from "../../../home/radio.ts";
import type { JsonSchema } from "../../schema.ts";
import { type Members, Placed } from "../placed.ts";
import { securityNames } from "./radio-json.ts";

const KINDS = [
  ...["include", "exclude", "replace", "remove-failed", "interview", "rebuild-routes"],
  ...["update-firmware", "backup", "restore", "reset"],
] as readonly RadioOperationKind[]; // The compiler holds every one of them in `readWish`.
const FILE_NAME_MAX = 200;

export const wishBody: JsonSchema = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { type: "string", enum: KINDS },
    address: { type: "string", description: "First node of the device that it is about." },
    security: {
      type: "string",
      description: "Of include: best (default), S0, insecure. Of replace: S2 (default), S0, insecure.",
    },
    file: { type: "string", description: "Base64: the maker's file, or what a backup of the stick gave." },
    fileName: { type: "string", maxLength: FILE_NAME_MAX, description: "By its ending the kind of firmware is known." },
    confirm: { type: "string", description: "Of reset: the home id of the network." },
  },
};

export const answerBody: JsonSchema = {
  type: "object",
  required: ["kind"],
  properties: {
    kind: { type: "string", enum: ["grant", "pin", "refuse"] },
    security: { type: "array", items: { type: "string", enum: securityNames } },
    pin: { type: "string", pattern: "^[0-9]{5}$" },
  },
};

export const provisionBody: JsonSchema = {
  type: "object",
  required: ["dsk", "security"],
  properties: {
    dsk: { type: "string", description: "Eight groups of five digits, with hyphens." },
    security: { type: "array", items: { type: "string", enum: securityNames } },
    active: { type: "boolean", description: "false: known, but not let in. Default: true." },
  },
};

export const provisioningData: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["dsk", "security", "active", "address"],
    properties: {
      ...provisionBody.properties,
      address: { type: ["string", "null"], description: "First node of the device once it is in." },
    },
  },
};

/** @throws ControllerError BAD_BODY naming the place. */
export function parseWish(body: unknown): { readonly wish: RadioWish; readonly confirmed: string | null } {
  return new Placed(body, "").object((members) => ({
    wish: readWish(members),
    confirmed: members.find("confirm")?.string() ?? null,
  }));
}

function readWish(members: Members): RadioWish {
  const kind = members.get("kind").oneOf(KINDS);
  switch (kind) {
    case "include":
      return { kind, security: members.find("security")?.oneOf(["best", "S0", "insecure"]) ?? "best" };
    case "replace": {
      const security = members.find("security")?.oneOf(["S2", "S0", "insecure"]) ?? "S2";
      return { kind, address: members.get("address").string(), security };
    }
    case "rebuild-routes":
      return { kind, address: members.find("address")?.string() ?? null };
    case "remove-failed":
    case "interview":
      return { kind, address: members.get("address").string() };
    case "update-firmware": {
      const fileName = members.get("fileName").text(FILE_NAME_MAX);
      return { kind, address: members.get("address").string(), file: bytesOf(members.get("file")), fileName };
    }
    case "restore":
      return { kind, memory: bytesOf(members.get("file")) };
    case "exclude":
    case "backup":
    case "reset":
      return { kind };
  }
}

function bytesOf(placed: Placed): Uint8Array {
  const text = placed.string();
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== text) throw placed.refuse("has to be base64");
  return bytes;
}

/** @throws ControllerError BAD_BODY naming the place. */
export function parseAnswer(body: unknown): RadioAnswer {
  return new Placed(body, "").object((members): RadioAnswer => {
    const kind = members.get("kind").oneOf(["grant", "pin", "refuse"]);
    switch (kind) {
      case "grant":
        return { kind, security: members.get("security").list((item) => item.oneOf(securityNames)) };
      case "pin":
        return { kind, pin: members.get("pin").string() };
      case "refuse":
        return { kind };
    }
  });
}

/** @throws ControllerError BAD_BODY naming the place. */
export function parseProvision(body: unknown): Pick<ProvisioningEntry, "dsk" | "security" | "isActive"> {
  return new Placed(body, "").object((members) => ({
    dsk: members.get("dsk").string(),
    security: members.get("security").list((item) => item.oneOf(securityNames)),
    isActive: members.find("active")?.boolean() ?? true,
  }));
}
