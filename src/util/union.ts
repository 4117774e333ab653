/** A closed union from a table: each row is a member under its name, read-only. */
export type UnionOf<Tag extends string, Members> = {
  [Name in keyof Members & string]: Readonly<Record<Tag, Name>> & Readonly<Members[Name]>;
}[keyof Members & string];
