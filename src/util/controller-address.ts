/** Addresses of controllers, as people type them. */

/** Listeners without TLS are for this machine alone: elsewhere the password would go over the network as it is. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns scheme, host and port; or what is wrong with the text, as sentences. */
export function readControllerAddress(text: string): { readonly origin: string } | { readonly problem: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (url && isSafe && url.username === "" && url.password === "") return { origin: url.origin };
  if (url?.protocol === "http:" && !isSafe)
    return {
      problem: `"${text}" is without TLS, so the password would cross the network in plain text. Use an address with https:.`,
    };
  return { problem: `"${text}" is not the address of a controller, such as https://localhost:9443.` };
}
