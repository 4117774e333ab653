/** Radio networks and their operations, from documents and from the stream. */

import {
  type ProvisionedDevice,
  RADIO_STAGES,
  type RadioAbout,
  type RadioDevice,
  type RadioOperation,
  type RadioQuestion,
  type RadioStage,
  type RadioState,
  type RadioStep,
} from "../model/radio-network.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";
import { childOf, childrenOf, childText, type XmlElement } from "./xml.ts";

export function readRadios(data: unknown): readonly RadioState[] {
  return objectsOf(data).map(readRadio);
}

export function readRadio(data: unknown): RadioState {
  const { name, state, detail, about, operation } = objectOf(data);
  return {
    name: textOf(name),
    state: textOf(state),
    detail: textOf(detail),
    about: isObject(about) ? readAbout(about) : null,
    operation: readOperation(operation),
  };
}

function readAbout(about: Json): RadioAbout {
  return {
    homeId: textOf(about.homeId),
    firmware: textOrNull(about.firmware),
    region: textOrNull(about.region),
    nodes: numberOf(about.nodes),
    isJammed: booleanOf(about.isJammed, false),
    acceptsProvisioned: booleanOf(about.acceptsProvisioned, false),
    sent: numberOf(about.sent),
    received: numberOf(about.received),
    lost: numberOf(about.lost),
    timeouts: numberOf(about.timeouts),
  };
}

/** Null before the first one. */
export function readOperation(data: unknown): RadioOperation | null {
  if (!isObject(data)) return null;
  return {
    id: textOf(data.id),
    kind: textOf(data.kind),
    stage: stageOf(textOf(data.stage)),
    question: isObject(data.question) ? readQuestion(data.question) : null,
    address: textOrNull(data.address),
    percent: numberOrNull(data.percent),
    security: textOrNull(data.security),
    detail: textOf(data.detail),
    startedTime: textOf(data.startedTime),
    lastTime: textOf(data.lastTime),
  };
}

function readQuestion({ kind, requested, dskRest }: Json): RadioQuestion | null {
  if (kind === "grant") return { kind, requested: textsOf(requested) };
  return kind === "pin" ? { kind, dskRest: textOf(dskRest) } : null;
}

/** `<operation …>` in the frame of an event; null for what is none. @param node of the frame */
export function readStep(info: XmlElement | null, node: string): RadioStep | null {
  const element = childOf(info, "operation");
  if (!element) return null;
  const { id = "", kind = "", stage = "", percent, security = null } = element.attributes;
  return {
    ...{ id, kind, stage: stageOf(stage), question: questionOf(element), address: node || null },
    percent: numberOrNull(percent),
    security,
    detail: childText(element, "detail"),
  };
}

function questionOf(operation: XmlElement): RadioQuestion | null {
  const grant = childOf(operation, "grant");
  if (grant) return { kind: "grant", requested: childrenOf(grant, "security").map(({ text }) => text) };
  const pin = childOf(operation, "pin");
  return pin && { kind: "pin", dskRest: pin.attributes.dskRest ?? "" };
}

/** One that is not known is some work. */
function stageOf(text: string): RadioStage {
  return RADIO_STAGES.find((stage) => stage === text) ?? "working";
}

export function readDevice(data: unknown): RadioDevice {
  const device = objectOf(data);
  return {
    address: textOf(device.address),
    state: textOf(device.state, "unknown"),
    security: textOrNull(device.security),
    interviewStage: textOf(device.interviewStage),
    interviewed: booleanOf(device.interviewed, false),
    batteryPercent: numberOrNull(device.batteryPercent),
    lastSeenTime: textOrNull(device.lastSeenTime),
    roundTripMs: numberOrNull(device.roundTripMs),
    signalDbm: numberOrNull(device.signalDbm),
    route: Array.isArray(device.route) ? textsOf(device.route) : null,
    routeSpeed: numberOrNull(device.routeSpeed),
    sent: numberOf(device.sent),
    received: numberOf(device.received),
    lost: numberOf(device.lost),
    timeouts: numberOf(device.timeouts),
  };
}

export function readProvisioned(data: unknown): ProvisionedDevice {
  const { dsk, security, active, address } = objectOf(data);
  return {
    dsk: textOf(dsk),
    security: textsOf(security),
    active: booleanOf(active, true),
    address: textOrNull(address),
  };
}

function objectOf(data: unknown): Json {
  return isObject(data) ? data : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((each) => textOf(each)) : [];
}

function numberOrNull(value: unknown): number | null {
  const number = numberOf(value, Number.NaN);
  return Number.isNaN(number) ? null : number;
}
