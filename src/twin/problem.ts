/** A document of an original that cannot be read, or a file of it: the home is made without it. */
export type Problem = { readonly document: string; readonly sentence: string };
