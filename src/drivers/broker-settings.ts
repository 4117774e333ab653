/** How an integration reaches a message broker: its settings, and what they say, with the contents of the files that they name. */

import { readFile } from "node:fs/promises";
import { ControllerError } from "../errors.ts";
import type { IntegrationSettings } from "./integration-type.ts";

export type Broker = {
  readonly url: string;
  /** "": none, as the others. */
  readonly user: string;
  readonly password: string;
  /** Of the authority, PEM; "": the machine's trusted ones. */
  readonly ca: string;
};

const BROKER_URL = String.raw`^mqtts?://(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.\-]+)(:\d{1,5})?$`;

export function shortText(title: string, description: string) {
  return { type: "string", title, description, maxLength: 300 } as const;
}

export const BROKER_SETTINGS = {
  url: { ...shortText("Broker", "mqtt://HOST:1883, or mqtts://HOST:8883 with a certificate."), pattern: BROKER_URL },
  user: shortText("User", "Where the broker asks for one."),
  password: { ...shortText("Password", "Where the broker asks for one."), writeOnly: true },
  passwordFile: shortText("Password file", "A file on the controller's machine that holds the password instead."),
  caFile: shortText("Authority", "PEM file of the authority that signed the broker's certificate."),
} as const;

/** The settings of the controller for a broker, by those of an integration. */
export const BROKER_FROM = {
  url: "mqttUrl",
  user: "mqttUser",
  passwordFile: "mqttPasswordFile",
  caFile: "mqttCaFile",
} as const;

/** @throws ControllerError SETTINGS_REFUSED for a file that cannot be read */
export async function brokerOf(settings: IntegrationSettings): Promise<Broker> {
  const { url, user = "", password = "", passwordFile = "", caFile = "" } = settings;
  return {
    url: String(url),
    user: String(user),
    password: passwordFile === "" ? String(password) : (await textOf(passwordFile, "passwordFile")).trim(),
    ca: caFile === "" ? "" : await textOf(caFile, "caFile"),
  };
}

async function textOf(path: unknown, setting: string): Promise<string> {
  try {
    return await readFile(String(path), "utf8");
  } catch {
    throw new ControllerError("SETTINGS_REFUSED", `The file of the setting ${setting} cannot be read.`);
  }
}
