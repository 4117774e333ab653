/** The events of a home. Records change before their event: a listener that reads them finds the new values. */

import type { OperationStep } from "./integrations.ts";
import type { Property, VariableType } from "./records.ts";

/** State of the event stream. `syncing`: connected, and the current values are being repeated. */
export type StreamStatus = "off" | "connecting" | "syncing" | "connected" | "waiting" | "refused" | "closed";

/** Common to all events of the controller; `at` is its own time, ISO 8601 with an offset, or empty. */
type Stamped = { readonly at: string; readonly seqnum: number };

export type HomeEvent =
  /** A node reported a value. */
  | (Stamped & {
      readonly kind: "property";
      readonly address: string;
      readonly property: Property;
      readonly previous: Property | null;
    })
  /** A device itself sent a command: a button was pressed, something moved. */
  | (Stamped & { readonly kind: "control"; readonly address: string; readonly control: string; readonly value: string })
  | (Stamped & { readonly kind: "program"; readonly id: string })
  /** Programs came, went, or have other names: `refresh()` reads them. */
  | (Stamped & { readonly kind: "programs" })
  | (Stamped & {
      readonly kind: "variable";
      readonly type: VariableType;
      readonly id: string;
      readonly what: "value" | "init";
    })
  /** The table of a type was read again, because variables came, went, or have another name or precision. */
  | (Stamped & { readonly kind: "variables"; readonly type: VariableType })
  /** The tree changed: `verb` is `ND`, `NR`, `NN` … `refresh()` reads it when `needsRefresh`. */
  | (Stamped & {
      readonly kind: "lifecycle";
      readonly verb: string;
      readonly address: string;
      readonly info: Readonly<Record<string, string>>;
      readonly needsRefresh: boolean;
    })
  /** A radio device answered a question about a configuration parameter. */
  | (Stamped & {
      readonly kind: "parameter";
      readonly address: string;
      readonly number: number;
      readonly size: number;
      readonly value: number;
    })
  /** The operation on a radio network moved on. */
  | (Stamped & { readonly kind: "operation"; readonly step: OperationStep })
  /** The controller's own: busy, settings, progress. `control` is `_4`, `_5` … */
  | (Stamped & {
      readonly kind: "system";
      readonly control: string;
      readonly action: string;
      readonly address: string;
      readonly info: string;
    })
  /** The controller lives. */
  | (Stamped & { readonly kind: "heartbeat" })
  /** Services of plugins, in the controller's words. */
  | { readonly kind: "plugin-services"; readonly data: unknown }
  /** The stream itself. `isAgain`: it was connected before, so changes of the tree in between were missed. */
  | { readonly kind: "stream"; readonly status: StreamStatus; readonly isAgain: boolean };

export type EventKind = HomeEvent["kind"];
export type EventOf<K extends EventKind> = Extract<HomeEvent, { readonly kind: K }>;
