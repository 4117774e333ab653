/** What closes the dialog around a component. Apart from dialogs, which Home loads when one opens. */

import { createContext } from "preact";
import { useContext } from "preact/hooks";

const Close = createContext<() => void>(() => {});

/** Around a dialog. */
export const Closing = Close.Provider;

export function useClose(): () => void {
  return useContext(Close);
}
