/** How paths of the interface are written. */

/** One segment, fully quoted: addresses contain spaces. */
export function segment(text: string | number): string {
  return typeof text === "number" ? decimal(text) : encodeURIComponent(text);
}

export function nodePath(address: string): string {
  return `/rest/nodes/${segment(address)}`;
}

/** Family 4 is the first radio, family 12 the second. Null for nodes of others. */
export function radioPath(family: string, address: string): string | null {
  if (family === "4") return `/rest/zwave/node/${segment(address)}`;
  return family === "12" ? `/rest/zmatter/zwave/node/${segment(address)}` : null;
}

/** Without the noise of binary fractions, and never with an exponent. */
function decimal(value: number): string {
  const text = String(Number(value.toPrecision(12)));
  return text.includes("e")
    ? value
        .toFixed(9)
        .replace(/0{1,9}$/, "")
        .replace(/\.$/, "")
    : text;
}
