/** The documents of a twin as rows: the text that its original sent, by the name of the document. */

/** `base` is how this controller made the document when the twin was new; null before its first start. */
type ReceivedDocument = { readonly text: string; readonly base: string | null };
/** The body of a row; homes of earlier versions have this name in it. */
type Stored = { readonly told: string; readonly base: string | null };

export type ReceivedDocumentStore = {
  get(name: string): ReceivedDocument | null;
  set(name: string, document: ReceivedDocument): void;
  names(): readonly string[];
};

/** @param rows kept up to date, the writer reads them. @param touch says that a row is out of date. */
export function createReceivedDocumentStore(
  rows: Map<string, string>,
  touch: (key: string) => void,
): ReceivedDocumentStore {
  return {
    get(name) {
      const body = rows.get(name);
      if (body === undefined) return null;
      const { told: text, base } = JSON.parse(body) as Stored; // Written below.
      return { text, base };
    },
    set(name, { text, base }) {
      rows.set(name, JSON.stringify({ told: text, base } satisfies Stored));
      touch(name);
    },
    names: () => [...rows.keys()],
  };
}
