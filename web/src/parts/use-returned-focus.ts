/** The keyboard's focus after an editor that stood in place of the button that opened it. */

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** @returns a ref for the button that opens the editor. The button gets the focus back when the editor ends. */
export function useReturnedFocus(isOpen: boolean): RefObject<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}
