/**
 * A controller of an older firmware, without a portal: plays saved documents on loopback, by `/rest` and `/services`. Commands are
 * accepted and change nothing. Everything else is 404, and an operation that it does not have is 401, as such controllers answer.
 */

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const ACCOUNT = { user: "admin", password: "old-secret" };
const HOMES = join(import.meta.dirname, "../fixtures/homes");
const ENVELOPE = (status: number) =>
  `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><UDIDefaultResponse><status>${status}</status><info></info></UDIDefaultResponse></s:Body></s:Envelope>`;

export type OlderController = AsyncDisposable & {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Directory of its documents. */
  readonly directory: string;
  /** `GET /rest/nodes`, `GetAllD2D` … */
  readonly requests: string[];
};

/**
 * @param home directory of its documents in the fixtures
 * @param without operations that it does not have
 */
export async function openOlderController(home: string, without: readonly string[] = []): Promise<OlderController> {
  const directory = join(HOMES, home);
  const requests: string[] = [];
  const expected = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString("base64")}`;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const path = decodeURIComponent(new URL(request.url ?? "", "http://localhost").pathname);
    const operation = /<u:(\w+)/.exec(body)?.[1] ?? "";
    requests.push(path === "/services" ? operation : `${request.method} ${path}`);
    const [status, content] =
      request.headers.authorization !== expected
        ? [401, ENVELOPE(401)]
        : request.method === "POST"
          ? answer(directory, without.includes(operation) ? "" : operation, body)
          : documentAt(directory, path);
    if (status === 404 && path.startsWith("/rest/vars/")) {
      // Without a head, as such controllers do.
      response.socket?.end(`/CONF/${path.endsWith("1") ? "INTEGER" : "STATE"}.VAR not found`);
      return;
    }
    response.writeHead(status, {
      "Content-Type": "text/xml; charset=UTF-8",
      "Content-Length": Buffer.byteLength(content),
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...ACCOUNT,
    directory,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function documentAt(directory: string, path: string): readonly [status: number, content: string] {
  if (COMMAND.test(path)) return [200, ACCEPTED];
  const radio = /^\/rest\/zwave\/node\/0\/def\/get$/.test(path) ? "radio-nodedefs-4.xml" : null;
  return fileAt(directory, radio ?? `${path.slice(1).replaceAll("/", "-")}.xml`) ?? [404, REFUSED];
}

/** Commands to nodes, programs and variables. */
const COMMAND = /^\/rest\/(nodes\/[^/]+\/cmd|programs\/[^/]+|vars\/set)\//;
const ACCEPTED =
  '<?xml version="1.0" encoding="UTF-8"?><RestResponse succeeded="true"><status>200</status></RestResponse>';
const REFUSED =
  '<?xml version="1.0" encoding="UTF-8"?><RestResponse succeeded="false"><status>404</status></RestResponse>';

function answer(directory: string, operation: string, body: string): readonly [status: number, content: string] {
  const text = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? "";
  const refused = [401, ENVELOPE(401)] as const;
  switch (operation) {
    case "GetAllD2D":
      return fileAt(directory, "programs.xml") ?? refused;
    case "GetSceneProfiles": {
      const of = text("node") === "none" ? "" : ` ${text("node")}`;
      return fileAt(directory, `scene ${text("controller")}${of}.xml`) ?? [501, ENVELOPE(501)];
    }
    case "GetSysConf": {
      const id = Number.parseInt(/D2D\/([0-9A-F]{4})\.PGM/.exec(text("name"))?.[1] ?? "", 16);
      const all = readFileSync(join(directory, "programs.xml"), "utf8").match(/<d2d>.*?<\/d2d>/gs) ?? [];
      const found = all.find((each) => each.includes(`<trigger><id>${id}</id>`));
      return found ? [200, `<?xml version="1.0" ?><triggers>${found}</triggers>`] : [404, ENVELOPE(404)];
    }
    default:
      return refused;
  }
}

function fileAt(directory: string, name: string): readonly [status: number, content: string] | null {
  const path = join(directory, name);
  return existsSync(path) ? [200, readFileSync(path, "utf8")] : null;
}
