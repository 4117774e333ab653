/** Whether passkeys can work on this page. */

/** null: they can. */
export function whyNoPasskeys(): "passkeys.needsName" | "passkeys.impossible" | null {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return "passkeys.needsName";
  const canRead = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;
  return canRead ? null : "passkeys.impossible";
}
