/** The messages between the controller and the thread of the Matter bridge: small typed values, no objects of the library. */

import type { MatterTask, MatterThreadEvent } from "../../drivers/matter-thread.ts";

export type DeviceKind =
  | "light"
  | "dimmable-light"
  | "outlet"
  | "fan"
  | "cover"
  | "lock"
  | "thermostat"
  | "occupancy"
  | "contact"
  | "leak"
  | "freeze"
  | "smoke"
  | "carbon-monoxide"
  | "temperature"
  | "humidity"
  | "illuminance";

type AttributeValue = number | boolean | string | null | Readonly<Record<string, boolean | number>>;
/** Values by behavior and attribute, in the names of the library. */
export type Attributes = Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>;

export type ClusterFeature = "Heating" | "Cooling" | "AutoMode" | "PositionAwareLift";

/** A node as a device of Matter. */
export type EndpointSpec = {
  /** The node's address. */
  readonly address: string;
  readonly kind: DeviceKind;
  readonly features: readonly ClusterFeature[];
  /** Unique among all, 32 bytes at most. */
  readonly name: string;
  /** Stable; says nothing about the node. */
  readonly uniqueId: string;
  /** What the device is: the same for its whole life, such as limits. */
  readonly fixed: Attributes;
};

/** A node's present values, and whether its device can be reached. */
export type EndpointState = { readonly isReachable: boolean; readonly attributes: Attributes };

export type ShownEndpoint = { readonly spec: EndpointSpec; readonly state: EndpointState };

export type BridgeTask = MatterTask & {
  readonly port: number;
  /** Name of the only network interface to use; null: all. */
  readonly networkInterface: string | null;
  readonly name: string;
  readonly uniqueId: string;
  readonly version: string;
  readonly endpoints: readonly ShownEndpoint[];
};

/** A command of an ecosystem to a device. */
export type DeviceCommand =
  | {
      readonly kind:
        | "on"
        | "off"
        | "open"
        | "close"
        | "stop"
        | "lock"
        | "unlock"
        | "fade-up"
        | "fade-down"
        | "fade-stop";
    }
  /** 1 … 254. */
  | { readonly kind: "level"; readonly level: number }
  /** Percent that is closed. */
  | { readonly kind: "lift"; readonly closed: number }
  | { readonly kind: "fan"; readonly percent: number }
  /** Hundredths of °C, and the library's number of the mode. */
  | { readonly kind: "climate"; readonly heat?: number; readonly cool?: number; readonly mode?: number };

export type BridgeOrder =
  | { readonly kind: "add"; readonly endpoint: ShownEndpoint }
  /** `mayReturn`: it is not shown for a time, such as a node that is disabled. */
  | { readonly kind: "remove"; readonly address: string; readonly mayReturn: boolean }
  | { readonly kind: "rename"; readonly address: string; readonly name: string }
  | { readonly kind: "state"; readonly address: string; readonly state: EndpointState }
  /** The outcome of a command; null: the device took it. */
  | { readonly kind: "outcome"; readonly request: number; readonly failure: string | null }
  | { readonly kind: "open-window"; readonly request: number; readonly seconds: number }
  | { readonly kind: "remove-fabric"; readonly request: number; readonly index: number }
  | { readonly kind: "close" };

type BridgeFabric = { readonly index: number; readonly label: string; readonly vendorId: number };

export type BridgeStatus = {
  readonly isCommissioned: boolean;
  /** null: no controller can be added now. */
  readonly codes: { readonly qr: string; readonly manual: string } | null;
  readonly fabrics: readonly BridgeFabric[];
};

export type BridgeEvent =
  | MatterThreadEvent
  | { readonly kind: "ready" }
  | { readonly kind: "status"; readonly status: BridgeStatus }
  | { readonly kind: "command"; readonly request: number; readonly address: string; readonly command: DeviceCommand }
  /** The outcome of an order with a number; null: done. */
  | { readonly kind: "done"; readonly request: number; readonly failure: string | null }
  | { readonly kind: "endpoint-failed"; readonly address: string; readonly reason: string };
