/** The operations on the Matter bridge for the surfaces, independent of its library. @see docs/matter.md */

/** An ecosystem in which the bridge is. */
type MatterFabric = { readonly index: number; readonly label: string; readonly vendorId: number };

export type MatterPort = {
  readonly isCommissioned: boolean;
  /** null: no controller can be added now. */
  readonly codes: { readonly qr: string; readonly manual: string } | null;
  readonly fabrics: readonly MatterFabric[];
  /** Nodes that it shows. */
  readonly nodes: number;
  /** Lets a further controller in, with the codes. @throws ControllerError DRIVER_UNAVAILABLE, CONFLICT */
  openWindow(seconds: number): Promise<void>;
  /** @throws ControllerError DRIVER_UNAVAILABLE, FABRIC_NOT_FOUND, CONFLICT */
  removeFabric(index: number): Promise<void>;
};
