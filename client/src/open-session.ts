/** A login without a home: for paths without a method of their own, and for programs that need nothing else. */

import type { ConnectOptions, ControllerSession } from "./api.ts";
import { systemClock } from "./clock.ts";
import { createAccounts, createBackups } from "./commands/accounts.ts";
import { createAlerts } from "./commands/alerts.ts";
import { createEdits } from "./commands/edits.ts";
import { createGuests } from "./commands/guests.ts";
import { createIntegrations } from "./commands/integrations.ts";
import { requestOf, uploadOf } from "./commands/json-request.ts";
import { createMatter } from "./commands/matter.ts";
import { createPersons } from "./commands/persons.ts";
import { createPlugins } from "./commands/plugins.ts";
import { createProposals } from "./commands/proposals.ts";
import { createReplays } from "./commands/replays.ts";
import { serviceOf } from "./commands/service.ts";
import { ClientError } from "./errors.ts";
import { fetchConfig } from "./load/documents.ts";
import { silentLog } from "./log.ts";
import { Session } from "./transport/session.ts";
import type { Transport } from "./transport/transport.ts";

const DEADLINE_MS = 30_000;

/** @throws ClientError `BAD_OPTIONS` */
export function createSession(options: ConnectOptions, transport: Transport): Session {
  const {
    mode = "portal",
    user = "",
    password = "",
    secondFactor = null,
    token = null,
    tokenStore = null,
    keepLogin: keepsLogin = false,
    assistant = null,
    deadlineMs = DEADLINE_MS,
  } = options;
  const { clock = systemClock, log = silentLog } = options;
  const origin = readOrigin(options.url);
  return new Session({
    origin,
    mode,
    user,
    password,
    secondFactor,
    token,
    transport,
    clock,
    log,
    deadlineMs,
    tokenStore,
    keepsLogin,
    assistant,
  });
}

/** @throws ClientError when the controller cannot be reached or refuses the credentials */
export async function openSession(options: ConnectOptions, transport: Transport): Promise<ControllerSession> {
  const session = createSession(options, transport);
  const close = async () => {
    if (session.mode === "portal") await session.logout();
    session.close();
  };
  const request = requestOf(session);
  try {
    const config = await fetchConfig(session);
    // The configuration is public; requested with credentials, it shows that these are valid.
    await session.check();
    return {
      mode: session.mode,
      config,
      integrations: createIntegrations(session),
      matter: createMatter(session),
      persons: createPersons(session),
      alerts: createAlerts(session),
      plugins: createPlugins(session),
      guests: createGuests(session),
      edits: createEdits(session),
      accounts: createAccounts(session),
      backups: createBackups(session),
      replays: createReplays(session),
      proposals: createProposals(session),
      request,
      upload: uploadOf(session),
      document: (path) => session.get(path),
      download: (path) => session.download(path),
      service: serviceOf(session),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    if (options.tokenStore) session.close();
    else await close();
    throw error;
  }
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new ClientError("BAD_OPTIONS", "The url has to be one of https or http.");
  if (url.username !== "" || url.password !== "")
    throw new ClientError("BAD_OPTIONS", "User and password are options of their own, not parts of the url.");
  return url.origin;
}
