/** The documents of a twin as rows: how the controller that it was made from told them, by the name of the document. */

/** `base` is how this controller made the document when the twin was new; null before its first start. */
type ReceivedDocument = { readonly told: string; readonly base: string | null };

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
      return body === undefined ? null : JSON.parse(body);
    },
    set(name, document) {
      rows.set(name, JSON.stringify(document));
      touch(name);
    },
    names: () => [...rows.keys()],
  };
}
