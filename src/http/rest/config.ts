/** `/rest/config`: what the controller is and knows. The first thing every legacy client reads. @see docs/interface/config.md */

import { familyOf, RADIO_FAMILIES } from "../../families.ts";
import { CONTROLS, controlLabel } from "../../profile/builtin/command-ids-table.ts";
import type { Profile } from "../../profile/profile.ts";
import { escapeXml } from "../../util/xml.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { xmlDocument } from "./rest-reply.ts";

export function getConfig(_request: HttpRequest, services: Services): Reply {
  const nodes = Array.from(services.home.nodes.values());
  const installed = new Set(nodes.flatMap(({ family }) => familyOf(family).radio?.feature?.id ?? []));
  const version = `${services.home.version("controller")}.${services.profile.version}.${[...installed].sort()}`;
  return xmlDocument(services, "/rest/config", version, () => encodeConfig(services, installed));
}

function encodeConfig({ config, home, profile, productVersion }: Services, installed: ReadonlySet<number>): string {
  const product = escapeXml(config.productName);
  const version = escapeXml(config.interfaceVersion);
  return (
    `<configuration><deviceSpecs><make>${escapeXml(config.manufacturer)}</make><manufacturerURL></manufacturerURL>` +
    `<model>${product}</model><icon></icon><archive></archive><chart></chart><queryOnInit>true</queryOnInit>` +
    "<oneNodeAtATime>false</oneNodeAtATime><baseProtocolOptional>true</baseProtocolOptional></deviceSpecs>" +
    "<upnpSpecs><upnpDevice><utype>X_Insteon_Lighting_Device</utype><version>1</version></upnpDevice>" +
    "<upnpService><utype>X_Insteon_Lighting_Service</utype><version>1</version></upnpService></upnpSpecs>" +
    `<controls>${knownControls(profile).map(controlElement).join("")}</controls><driver_timestamp></driver_timestamp>` +
    `<app>${product}</app><app_version>${version}</app_version><app_full_version>${version}</app_full_version>` +
    "<platform>IoX</platform><build_timestamp></build_timestamp>" +
    `<root><id>${home.controller.uuid}</id><name>${escapeXml(home.controller.name)}</name></root>` +
    `<product><id>${escapeXml(config.productId)}</id><desc>${product}</desc></product>` +
    `<features>${features(installed)}</features><triggers>true</triggers><maxTriggers>${config.programsMax}</maxTriggers>` +
    "<variables>true</variables><nodedefs>true</nodedefs><security>SSL</security><isDefaultCert>false</isDefaultCert>" +
    `<domovoi>${escapeXml(productVersion)}</domovoi></configuration>`
  );
}

const RADIO_FEATURES: ReadonlyMap<number, string> = new Map(
  RADIO_FAMILIES.flatMap(({ radio: { feature } }) => (feature ? [[feature.id, feature.text]] : [])),
);

/** Two clients look these up by their text and fail without them. */
function features(installed: ReadonlySet<number>): string {
  const rows: readonly (readonly [id: number, text: string, isInstalled: boolean])[] = [
    [21010, "OpenADR", false],
    [21040, "Networking Module", true],
    [21060, "A10/X10 for INSTEON", false],
    [21075, "Portal Integration - UDI", false],
    ...[...RADIO_FEATURES].map(([id, text]) => [id, text, installed.has(id)] as const),
  ];
  const elements = rows.map(
    ([id, text, isInstalled]) =>
      `<feature><id>${id}</id><desc>${text}</desc><isInstalled>${isInstalled}</isInstalled><isAvailable>true</isAvailable></feature>`,
  );
  return elements.join("");
}

type KnownControl = {
  readonly id: string;
  readonly label: string;
  readonly readOnly: boolean;
  readonly isQueryAble: boolean;
};

/**
 * The interface's own controls, and all others that the profile's nodedefs accept or show: clients refuse ids that
 * are not listed.
 */
function knownControls(profile: Profile): readonly KnownControl[] {
  const known = new Map<string, KnownControl>();
  for (const { id, label, kind } of CONTROLS) {
    known.set(id, { id, label, readOnly: kind === "property", isQueryAble: kind !== "command" });
  }
  const nodedefs = profile.instances().flatMap((home) => [...home.nodedefs.values(), ...home.dynamicNodedefs.values()]);
  for (const { accepts, properties } of nodedefs) {
    for (const { id, name } of accepts) addControl(known, id, name, false);
    for (const { id, name } of properties) addControl(known, id, name, true);
  }
  return [...known.values()];
}

function addControl(known: Map<string, KnownControl>, id: string, name: string, isProperty: boolean): void {
  if (known.has(id)) return;
  known.set(id, { id, label: name === "" ? controlLabel(id) : name, readOnly: isProperty, isQueryAble: isProperty });
}

function controlElement({ id, label, readOnly, isQueryAble }: KnownControl, index: number): string {
  return (
    `<control ID="${index + 1}"><name>${escapeXml(id)}</name><label>${escapeXml(label)}</label><readOnly>${readOnly}</readOnly>` +
    `<isQueryAble>${isQueryAble}</isQueryAble><isNumeric>true</isNumeric><isGlobal>false</isGlobal></control>`
  );
}
