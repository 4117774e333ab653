/** How the controller proves to an ACME server that it holds a name: by an answer on a port, or by a record in the DNS. */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { Config } from "../../config.ts";
import { type Clock, delay } from "../../util/clock.ts";
import { createServer } from "../../util/node-http.ts";
import { AcmeError } from "./acme-error.ts";

type Challenge = { readonly name: string; readonly token: string; readonly keyAuthorization: string };

export type SolveChallenge = {
  readonly kind: "http-01" | "dns-01";
  /** Settles when the server may look. @returns ends it; never rejects */
  publish(challenge: Challenge, signal: AbortSignal): Promise<() => Promise<void>>;
};

type ChallengePorts = {
  readonly config: Pick<Config, "host" | "acmeHttpPort" | "acmeDnsCommand" | "acmeDnsWaitMs">;
  readonly clock: Clock;
};

const PATH = "/.well-known/acme-challenge/";
/** Port of the listener that is open only while a name is checked. */
const CONNECTIONS_MAX = 50;
const REQUEST_MS = 5000;

export function challengeSolver({ config, clock }: ChallengePorts): SolveChallenge {
  const { host, acmeHttpPort, acmeDnsCommand, acmeDnsWaitMs } = config;
  if (acmeDnsCommand === "") {
    return { kind: "http-01", publish: (challenge) => answerAt(host, acmeHttpPort, challenge) };
  }
  return {
    kind: "dns-01",
    async publish({ name, keyAuthorization }, signal) {
      const record = `_acme-challenge.${name.replace(/^\*\./, "")}.`;
      const value = createHash("sha256").update(keyAuthorization).digest("base64url");
      const run = (action: string) => runCommand(acmeDnsCommand, [action, record, value], signal);
      await run("present");
      await delay(clock, acmeDnsWaitMs, signal);
      // A record that stays harms nothing, and the command has printed why.
      return () => run("cleanup").catch(() => {});
    },
  };
}

function answerAt(host: string, port: number, { token, keyAuthorization }: Challenge): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, ({ url }, response) => {
    const isAsked = url === PATH + token;
    response.writeHead(isAsked ? 200 : 404, { "Content-Type": "application/octet-stream", Connection: "close" });
    response.end(isAsked ? keyAuthorization : "");
  });
  server.maxConnections = CONNECTIONS_MAX;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program uses it" : error.message;
      reject(new AcmeError(`Port ${port} (setting acmeHttpPort) cannot be opened: ${why}.`));
    });
    server.listen(port, host, () => resolve(close));
  });
}

/** Its output goes to the log of the service as it is, and not into our sentences: it may name accounts. */
function runCommand(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new AcmeError(`The command ${command} (setting acmeDnsCommand) ${why}. The log has its output.`));
    const child = spawn(command, args, { stdio: ["ignore", 2, 2], env: commandEnvironment(), signal });
    child.once("error", ({ message }) => fail(`cannot be run: ${message}`));
    child.once("exit", (code, ended) => (code === 0 ? resolve() : fail(`ended with ${ended ?? `status ${code}`}`)));
  });
}

/** As of the service, for the credentials that the command may need, but not the first passwords of the controller. */
function commandEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("DOMOVOI_")));
}
