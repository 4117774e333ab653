/** What the journal promises to those who acknowledge writes. */

export type Durability = {
  /**
   * Settles when the entry with this number and all before it are on disk (≤ 10 ms under load).
   * @throws ControllerError STORE_UNAVAILABLE when the disk does not take it.
   */
  committed(seq: number): Promise<void>;
};
