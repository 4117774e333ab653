/** The port of a driver whose devices are simulated: what people do at them, and following a real device. */

import type { LinkState } from "../home/nodes.ts";
import type { PropertyReport } from "./report.ts";

/** The reported values of a real device, for the virtual device that replaces it. */
export type MirroredFact =
  | { readonly kind: "report"; readonly report: PropertyReport }
  | { readonly kind: "control"; readonly address: string; readonly control: string; readonly value: number }
  | { readonly kind: "link"; readonly address: string; readonly link: LinkState };

export type Simulation = {
  /** What a person at the device, or the world around it, can do to this node. */
  actions(address: string): readonly string[];
  /** Does one of `actions`. @returns false when the node cannot do it now. */
  act(address: string, control: string, value: number | null): boolean;
  /** Adopts the reported values of a real device; absent where the devices cannot stand for real ones. */
  mirror?(fact: MirroredFact): void;
};
