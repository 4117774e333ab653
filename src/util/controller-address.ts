/** Addresses of controllers, as people type them, and which listener an account belongs to. */

/** Listeners without TLS are for this machine alone: elsewhere the password would go over the network as it is. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * @param isUnchecked an address without TLS is accepted too, for older controllers in a network that is trusted.
 * @returns scheme, host and port; or what is wrong with the text, as sentences.
 */
export function readControllerAddress(
  text: string,
  isUnchecked = false,
): { readonly origin: string } | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === "http:";
  const isSafe = url?.protocol === "https:" || (isPlain && (isUnchecked || LOOPBACK.test(url.hostname)));
  if (url && isSafe && url.username === "" && url.password === "") return { origin: url.origin };
  if (isPlain && !isSafe)
    return {
      problem:
        `"${text}" is without TLS, so the password would cross the network in plain text. Use an address with https:. ` +
        "An older controller in a network that you trust is reached without checks (--insecure).",
    };
  return { problem: `"${text}" is not the address of a controller, such as https://localhost:9443.` };
}

/** Accounts of the portal are e-mail addresses, those of the local listener are not. */
export function modeOfUser(user: string): "portal" | "local" {
  return user.includes("@") ? "portal" : "local";
}
