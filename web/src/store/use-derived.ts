/** A value derived from signals: the component is only rendered again when the derived value is another one. */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";

/** @param derive reads signals; gives a number, a text or a boolean. @param inputs everything else that it reads */
export function useDerived<T extends number | string | boolean>(derive: () => T, inputs: readonly unknown[]): T {
  return useMemo(() => computed(derive), inputs).value;
}
