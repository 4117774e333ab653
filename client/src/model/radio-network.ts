/** A radio network: its adapter, its devices, and the one operation on it. @see docs/interface/radio-network.md */

export const RADIO_STAGES = [
  ...(["starting", "waiting", "found", "asking", "securing", "interviewing", "working"] as const),
  ...(["done", "failed", "cancelled"] as const),
] as const;
export type RadioStage = (typeof RADIO_STAGES)[number];

/** The present question to a person. */
export type RadioQuestion =
  /** Asks which of these security classes the device is granted. */
  | { readonly kind: "grant"; readonly requested: readonly string[] }
  /** The key that the device showed, without the five digits that are printed on it. */
  | { readonly kind: "pin"; readonly dskRest: string };

/** The progress of an operation, from its events. */
export type RadioStep = {
  readonly id: string;
  /** `include`, `exclude`, `replace` … */
  readonly kind: string;
  readonly stage: RadioStage;
  readonly question: RadioQuestion | null;
  /** First node of the device that it is about, once it is known. */
  readonly address: string | null;
  /** 0 … 100 where the length of the way is known. */
  readonly percent: number | null;
  /** Security of an included device; `none`: it is not encrypted. */
  readonly security: string | null;
  /** A sentence for people. */
  readonly detail: string;
};

export type RadioOperation = RadioStep & {
  /** ISO 8601. */
  readonly startedTime: string;
  readonly lastTime: string;
};

/** Requests to the network. @see docs/interface/radio-network.md */
export type RadioRequest =
  | { readonly kind: "include"; readonly security?: "best" | "S0" | "insecure" }
  | { readonly kind: "replace"; readonly address: string; readonly security?: "S2" | "S0" | "insecure" }
  | { readonly kind: "exclude" | "backup" }
  | { readonly kind: "remove-failed" | "interview"; readonly address: string }
  /** Without an address all devices that are awake. */
  | { readonly kind: "rebuild-routes"; readonly address?: string }
  /** @member confirm home id of the network that the adapter is to forget */
  | { readonly kind: "reset"; readonly confirm: string };

export type RadioAnswer =
  | { readonly kind: "grant"; readonly security: readonly string[] }
  | { readonly kind: "pin"; readonly pin: string }
  | { readonly kind: "refuse" };

export type RadioState = {
  readonly name: string;
  /** `starting`, `ready`, `degraded`, `failed` or `stopped`. */
  readonly state: string;
  readonly detail: string;
  /** Null while the adapter is not running. */
  readonly about: RadioAbout | null;
  /** The one under way, else the latest. */
  readonly operation: RadioOperation | null;
};

export type RadioAbout = {
  readonly homeId: string;
  readonly firmware: string | null;
  readonly region: string | null;
  readonly nodes: number;
  readonly isJammed: boolean;
  readonly acceptsProvisioned: boolean;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
};

/** How a device fares, as far as is known. */
export type RadioDevice = {
  readonly address: string;
  /** `alive`, `asleep`, `dead` or `unknown`. */
  readonly state: string;
  /** Null: it is not encrypted. */
  readonly security: string | null;
  readonly interviewStage: string;
  readonly interviewed: boolean;
  readonly batteryPercent: number | null;
  readonly lastSeenTime: string | null;
  readonly roundTripMs: number | null;
  readonly signalDbm: number | null;
  /** Devices that repeat for it; null while nothing was sent. */
  readonly route: readonly string[] | null;
  /** kbit/s. */
  readonly routeSpeed: number | null;
  readonly sent: number;
  readonly received: number;
  readonly lost: number;
  readonly timeouts: number;
};

/** A device that may join by itself. */
export type ProvisionedDevice = {
  readonly dsk: string;
  readonly security: readonly string[];
  readonly active: boolean;
  /** First node of the device once it is in. */
  readonly address: string | null;
};

/** By its key, or by the digits of the code that is printed on it, which also say what it asks for. */
export type NewProvisioned =
  | { readonly dsk: string; readonly security: readonly string[]; readonly active?: boolean }
  | { readonly qr: string; readonly security?: readonly string[]; readonly active?: boolean };

/** Nothing follows any more. */
export function isOver({ stage }: Pick<RadioStep, "stage">): boolean {
  return stage === "done" || stage === "failed" || stage === "cancelled";
}
