/** A link definition: which parameters a scene link of a kind carries. */

export type Linkdef = {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  /** True when the link sends a command instead of writing the device's link table. */
  readonly cmd: boolean;
  readonly format: string | null;
  readonly parameters: readonly { readonly id: string; readonly editor: string; readonly name: string }[];
};
