/** Parses requests for operations on a radio network, strictly. */

import type { OperationAnswer } from "../../../drivers/commissioning.ts";
import type { ProvisioningRequest, RadioRequest } from "../../../drivers/radio-port.ts";
import { ControllerError } from "../../../errors.ts";
import type { QueryParameters } from "../../route.ts";
import { type JsonSchema, list, object, partial, text, textOrNull } from "../../schema.ts";
import { type Members, LocatedValue } from "../located-value.ts";
import { securityNames } from "./radio-json.ts";

/** Operations without a file. */
type PlainKind = Exclude<RadioRequest["kind"], "update-firmware" | "restore">;

const KINDS = [
  ...["include", "exclude", "replace", "remove-failed", "interview", "rebuild-routes"],
  ...["backup", "reset"],
] as readonly PlainKind[]; // The compiler holds every one of them in `readRequest`.
const FILE_NAME_MAX = 200;
/** The code of a device has some 90 digits; makers may add more. */
const QR_MAX = 1000;

export const operationBody = object(
  { kind: { type: "string", enum: KINDS } },
  {
    optional: {
      address: { type: "string", description: "First node of the device that it is about." },
      security: text(
        "Security strategy. For include: best (default), S0, insecure. For replace: S2 (default), S0, insecure.",
      ),
      confirm: { type: "string", description: "Required for reset: the home id of the network." },
    },
  },
);

export const answerBody = object(
  { kind: { type: "string", enum: ["grant", "pin", "refuse"] } },
  {
    optional: {
      security: list({ type: "string", enum: securityNames }),
      pin: { type: "string", pattern: "^[0-9]{5}$" },
    },
  },
);

const entryProperties: Readonly<Record<string, JsonSchema>> = {
  dsk: { type: "string", description: "Eight groups of five digits, with hyphens." },
  security: list({ type: "string", enum: securityNames }, { description: "The security classes to grant." }),
  active: { type: "boolean", description: "false: listed, but not included. Default: true." },
};

export const provisionBody = partial({
  ...entryProperties,
  qr: { type: "string", maxLength: QR_MAX, description: "Digits of the printed QR code, instead of the key." },
});

export const provisionedData = object({
  ...entryProperties,
  address: textOrNull("First node of the device once it is in."),
});

export const provisioningData = list(provisionedData);

/** @throws ControllerError BAD_BODY naming the place. */
export function parseOperation(body: unknown): { readonly requested: RadioRequest; readonly confirmed: string | null } {
  return new LocatedValue(body, "").object((members) => ({
    requested: readRequest(members),
    confirmed: members.find("confirm")?.string() ?? null,
  }));
}

function readRequest(members: Members): RadioRequest {
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
    case "exclude":
    case "backup":
    case "reset":
      return { kind };
  }
}

export const fileNameQuery: QueryParameters = {
  fileName: {
    ...{ type: "string", minLength: 1, maxLength: FILE_NAME_MAX, isRequired: true },
    description: "Name of the file; its ending gives its kind.",
  },
};

/** By the ending of its name the kind of a firmware file is known. @throws ControllerError BAD_VALUE */
export function parseFileName(query: URLSearchParams): string {
  const name = query.get("fileName") ?? "";
  if (/^[^\p{Cc}]+$/u.test(name) && name.length <= FILE_NAME_MAX) return name;
  throw new ControllerError("BAD_VALUE", {
    sentence: `fileName is a text of 1 to ${FILE_NAME_MAX} characters without control characters.`,
  });
}

/** @throws ControllerError BAD_BODY naming the place. */
export function parseAnswer(body: unknown): OperationAnswer & Readonly<Record<string, unknown>> {
  return new LocatedValue(body, "").object((members) => {
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
export function parseProvision(body: unknown): ProvisioningRequest {
  const placed = new LocatedValue(body, "");
  return placed.object((members): ProvisioningRequest => {
    const isActive = members.find("active")?.boolean() ?? true;
    const securityOf = (names: LocatedValue) => names.list((item) => item.oneOf(securityNames));
    const qr = members.find("qr")?.string() ?? null;
    if (qr === null)
      return { dsk: members.get("dsk").string(), security: securityOf(members.get("security")), isActive };
    if (members.find("dsk")) throw placed.refuse("has either a dsk or a qr");
    const security = members.find("security");
    return { qr, security: security ? securityOf(security) : null, isActive };
  });
}
