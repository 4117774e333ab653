/**
 * The compile-time shape of one home. `domovoi types` writes such a type from the running controller;
 * `connect<MyHome>()` then completes names, commands and values, and refuses everything that the home does not have.
 */

/** A value of a command: displayed units of the first unit that takes it, a unit with it, or the label of a choice. */
export type CommandValue = number | string | { readonly value: number; readonly uom: number };

export type NodeShape = {
  /** By command id: the values that it takes, in order; those that may be left out are optional. */
  readonly commands: { readonly [command: string]: readonly (CommandValue | undefined)[] };
  /** Ids of its properties, with the labels that their values can have, or `number`. */
  readonly properties: { readonly [id: string]: number | string };
};

export type HomeShape = {
  /** By every key of a lookup: name, path or address. */
  readonly nodes: { readonly [key: string]: NodeShape };
  readonly groups: string;
  readonly programs: string;
  readonly variables: string;
  readonly resources: string;
};

/** Any home: every name is a text, every command takes any values. */
export type AnyHome = {
  readonly nodes: { readonly [key: string]: AnyNode };
  readonly groups: string;
  readonly programs: string;
  readonly variables: string;
  readonly resources: string;
};

export type AnyNode = {
  readonly commands: { readonly [command: string]: readonly CommandValue[] };
  readonly properties: { readonly [id: string]: number | string };
};

export type NodeKey<S extends HomeShape> = keyof S["nodes"] & string;
export type CommandOf<N extends NodeShape> = keyof N["commands"] & string;
export type PropertyOf<N extends NodeShape> = keyof N["properties"] & string;
/** The labels that a value can have, for completion; a controller may say something else too. */
export type LabelOf<V extends number | string> = Extract<V, string> | (string & {});

/**
 * A method for every command, in lower case: `node.don(40)` is `node.send("DON", 40)`. Own members of a node go before
 * commands of that name; of any home, whose commands the compiler does not know, there are none.
 */
export type CommandMethods<N extends NodeShape, Own> =
  string extends CommandOf<N>
    ? unknown
    : {
        readonly [C in CommandOf<N> as Exclude<Lowercase<C>, keyof Own>]: (
          ...values: N["commands"][C]
        ) => Promise<void>;
      };
