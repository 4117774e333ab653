/** The title of the browser's tab: what is on the screen. */

import { useEffect } from "preact/hooks";

const PRODUCT = "Domovoi";

/** @param text null: another part of the screen has the title */
export function useTitle(text: string | null): void {
  useEffect(() => {
    if (text !== null) document.title = text === "" || text === PRODUCT ? PRODUCT : `${text} · ${PRODUCT}`;
  }, [text]);
}
