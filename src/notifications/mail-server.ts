/**
 * The address of a mail server as its owner writes it. It is read here and not by the library, whose reader prints an address that it
 * cannot read, with the password in it, as a warning of the runtime.
 */

type MailServer = {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly requireTLS?: boolean;
  readonly ignoreTLS?: boolean;
  readonly tls?: { readonly rejectUnauthorized: boolean };
};

const PORTS: Readonly<Record<string, number>> = { "smtp:": 587, "smtps:": 465 };
const SWITCHES = ["requireTLS", "ignoreTLS", "tls.rejectUnauthorized"] as const;

export const UNREADABLE_SERVER =
  "The address of the mail server cannot be read. Write it as smtps://USER:PASSWORD@HOST:PORT. In the user name and the password write signs as codes: # is %23, % is %25, / is %2F, : is %3A, ? is %3F, @ is %40, a space is %20.";

/** null: it cannot be read. */
export function readMailServer(text: string): MailServer | null {
  const url = URL.parse(text);
  const port = PORTS[url?.protocol ?? ""];
  // What stands behind the host may be the rest of a password with a sign in it.
  if (!url || port === undefined || url.hostname === "" || url.hash !== "" || !["", "/"].includes(url.pathname))
    return null;
  const switches = new Map(url.searchParams);
  if ([...switches].some(([name, value]) => !isSwitch(name) || !["true", "false"].includes(value))) return null;
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if (user === null || pass === null) return null;
  const checksCertificate = switches.get("tls.rejectUnauthorized");
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? port : Number(url.port),
    secure: url.protocol === "smtps:",
    ...(user !== "" && { auth: { user, pass } }),
    ...(switches.get("requireTLS") === "true" && { requireTLS: true }),
    ...(switches.get("ignoreTLS") === "true" && { ignoreTLS: true }),
    ...(checksCertificate !== undefined && { tls: { rejectUnauthorized: checksCertificate === "true" } }),
  };
}

function isSwitch(name: string): boolean {
  return SWITCHES.some((each) => each === name);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
