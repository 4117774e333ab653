/** A node definition: what nodes of a kind have, accept and send. */

export type NodedefProperty = {
  readonly id: string;
  readonly editor: string;
  readonly name: string;
  readonly hide: boolean;
};

export type CommandParameter = {
  /** Empty for the unnamed first parameter. */
  readonly id: string;
  readonly editor: string;
  readonly name: string;
  /** The property that this parameter reads and writes, or null. */
  readonly init: string | null;
  readonly optional: boolean;
};

export type CommandDefinition = {
  readonly id: string;
  readonly name: string;
  readonly native: boolean;
  readonly format: string | null;
  readonly parameters: readonly CommandParameter[];
};

export type Nodedef = {
  readonly id: string;
  readonly name: string;
  /** NLS key prefix, or null. */
  readonly nls: string | null;
  readonly icon: string | null;
  readonly properties: readonly NodedefProperty[];
  readonly sends: readonly CommandDefinition[];
  readonly accepts: readonly CommandDefinition[];
  /** Linkdef ids a node may use as scene controller and as responder. */
  readonly controlLinks: readonly string[];
  readonly respondLinks: readonly string[];
};

/** The editors of its properties and of the parameters of its commands, by name. */
export function editorsOf({ properties, sends, accepts }: Nodedef): readonly string[] {
  return [...properties.map(({ editor }) => editor), ...[...sends, ...accepts].flatMap(parameterEditors)];
}

/** Of a command or a linkdef. */
export function parameterEditors({ parameters }: { readonly parameters: readonly { readonly editor: string }[] }) {
  return parameters.map(({ editor }) => editor);
}
