/** The picture of an account: its first letter, in a color that its name decides. */

import { PURPOSE_NAMES } from "./roles.ts";

export function Avatar({ name }: { name: string }) {
  const sum = Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce((total, code) => total + code, 0);
  return (
    <span class={`avatar for-${PURPOSE_NAMES[sum % PURPOSE_NAMES.length]}`} aria-hidden="true">
      {Array.from(name)[0]?.toLocaleUpperCase()}
    </span>
  );
}
