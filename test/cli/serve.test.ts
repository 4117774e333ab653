import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { basicHeader } from "../simulation/clients.ts";
import { readDocuments } from "../simulation/documents.ts";
import { CREDENTIALS, runDomovoi, type Service, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";
import { createHttpsClient, type HttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { readLines } from "./lines.ts";

const LOCAL_LINE = /^Local +(https:\/\/\S+) +(\S+) +(\S+)$/;
const PORTAL_LINE = /^Portal +(https:\/\/\S+) +(\S+) +(\S+)$/;

/** The local client, with the credentials of `CREDENTIALS` or others. */
function localListener({ localUrl }: Service, credentials = basicHeader()): HttpsClient {
  return createHttpsClient(
    () => localUrl,
    () => credentials,
  );
}

function basic(user: string, password: string): Readonly<Record<string, string>> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

async function login({ portalUrl }: Service, body: object): Promise<number> {
  const portal = createHttpsClient(
    () => portalUrl,
    () => ({}),
  );
  const { status } = await portal.post("/api/login", body);
  portal.close();
  return status;
}

async function statusOf(service: Service, path: string, credentials = basicHeader()): Promise<number> {
  const client = localListener(service, credentials);
  const { status } = await client.get(path);
  client.close();
  return status;
}

const credentialLines = (stderr: string) =>
  readLines(stderr)
    .person.split("\n")
    .map((line) => line.trim());
const matching = (stderr: string, pattern: RegExp) =>
  credentialLines(stderr).flatMap((line) => [...(pattern.exec(line) ?? [])].slice(1));

describe("a start", () => {
  test("says in one line on standard output where it is ready, and nothing else there", async () => {
    const service = await startService(temporaryDirectory());
    await using process = service.process;
    expect(await statusOf(service, "/rest/ping")).toBe(200);
    expect(await login(service, OWNER)).toBe(200);
    process.signal("SIGTERM");
    const { stdout, stderr } = await process.ended;
    expect(stdout).toMatch(/^ready https:\/\/127\.0\.0\.1:\d+ https:\/\/127\.0\.0\.1:\d+\n$/);
    expect(readLines(stderr).person).toBe("");
  });

  test("of a new home ends with three lines that work when they are pasted", async () => {
    const service = await startService(temporaryDirectory(), ["--demo", "--still"], { env: { npm_command: "start" } });
    await using process = service.process;
    const [, password = ""] = /Portal +\S+ +\S+ +(\S+)/.exec(process.stderr) ?? [];
    const linesNow = () => credentialLines(process.stderr).filter((line) => line.startsWith("npx domovoi "));
    // They come after the line on standard output that says that the controller is ready.
    await expect.poll(linesNow).toHaveLength(3);
    const lines = linesNow();
    const env = { DOMOVOI_PASSWORD: password, DOMOVOI_CONTROLLERS: join(temporaryDirectory(), "controllers.json") };
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      const { code, stderr } = await runDomovoi(words.slice(2), { env });
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
  });

  test("on all interfaces shows an address that can be opened", async () => {
    const service = await startService(temporaryDirectory(), ["--host", "0.0.0.0"]);
    await using process = service.process;
    expect(process.stdout).toMatch(/^ready https:\/\/(?!0\.)[\w.]+:\d+ /);
    expect(await statusOf(service, "/rest/ping")).toBe(200);
  });

  test("of a new home prints generated credentials once, outside the log, and stores them nowhere", async () => {
    const data = temporaryDirectory();
    const first = await startService(data, [], { env: {} });
    await using process = first.process;
    const [portalUrl, email = "", ownerPassword = ""] = matching(process.stderr, PORTAL_LINE);
    const [localUrl, user = "", localPassword = ""] = matching(process.stderr, LOCAL_LINE);
    expect([portalUrl, localUrl]).toEqual([first.portalUrl, first.localUrl]);
    expect(await login(first, { username: email, password: ownerPassword })).toBe(200);
    expect(await statusOf(first, "/rest/ping", basic(user, localPassword))).toBe(200);
    const { stderr } = await process.kill();
    expect([ownerPassword.length, localPassword.length]).toEqual([24, 24]);
    for (const password of [ownerPassword, localPassword]) {
      expect(stderr.split(password)).toHaveLength(2);
      expect(filesWith(data, password)).toEqual([]);
    }

    const second = await startService(data, [], { env: {} });
    await using again = second.process;
    expect(await statusOf(second, "/rest/ping", basic(user, localPassword))).toBe(200);
    expect(readLines(again.stderr).person).toBe("");
  });

  test("takes given credentials and does not print them; only what is missing is generated", async () => {
    const { DOMOVOI_OWNER_EMAIL, DOMOVOI_OWNER_PASSWORD } = CREDENTIALS;
    const env = { DOMOVOI_OWNER_EMAIL, DOMOVOI_OWNER_PASSWORD, DOMOVOI_LOCAL_USER: "", DOMOVOI_LOCAL_PASSWORD: "" };
    const service = await startService(temporaryDirectory(), [], { env });
    await using process = service.process;
    const [, user = "", password = ""] = matching(process.stderr, LOCAL_LINE);
    expect(await login(service, OWNER)).toBe(200);
    expect(await statusOf(service, "/rest/ping", basic(user, password))).toBe(200);
    expect(matching(process.stderr, PORTAL_LINE)).toEqual([]);
    expect(process.stderr).not.toContain(DOMOVOI_OWNER_PASSWORD);
  });

  test("with the log level silent writes nothing to standard error", async () => {
    const service = await startService(temporaryDirectory(), ["--log-level", "silent", "--plain-port", "0"]);
    await using process = service.process;
    process.signal("SIGTERM");
    expect((await process.ended).stderr).toBe("");
  });
});

describe("options", () => {
  test("--local-api serves /api on the local listener, which does not without it", async () => {
    const [without, withIt] = [
      await startService(temporaryDirectory()),
      await startService(temporaryDirectory(), ["--local-api"]),
    ];
    await using _first = without.process;
    await using _second = withIt.process;
    expect([await statusOf(without, "/api/nodes"), await statusOf(withIt, "/api/nodes")]).toEqual([404, 200]);
  });

  test("--plain-port opens the local surface without TLS, and the log says what that means", async () => {
    const service = await startService(temporaryDirectory(), ["--plain-port", "0"]);
    await using process = service.process;
    const warning = readLines(process.stderr).log.find(({ level }) => level === "warn");
    expect(warning?.msg).toMatch(/without TLS/);
    expect(await plainStatus(`${warning?.url}/rest/ping`)).toBe(200);
    expect(await plainStatus(`${warning?.url}/api/config`)).toBe(404);
  });

  test("--demo-nodes makes a home of that size", async () => {
    const service = await startService(temporaryDirectory(), ["--demo", "--demo-nodes", "100", "--local-api"]);
    await using _process = service.process;
    expect((await documentsOf(service)).nodes.size).toBe(100);
  });

  test("--virtual-latency-ms makes devices take their time, and others do not wait", async () => {
    const service = await startService(temporaryDirectory(), ["--demo", "--still", "--virtual-latency-ms", "400"]);
    await using _process = service.process;
    const beginMs = performance.now();
    const slow = statusOf(service, "/rest/nodes/1A%202B%203C%201/cmd/DON");
    expect(await statusOf(service, "/rest/nodes")).toBe(200);
    expect(performance.now() - beginMs).toBeLessThan(400);
    expect(await slow).toBe(200);
    expect(performance.now() - beginMs).toBeGreaterThanOrEqual(399);
  });

  test("the command line goes before the settings file, the file before the defaults", async () => {
    const file = join(temporaryDirectory(), "settings.json");
    writeFileSync(file, JSON.stringify({ name: "Manor", demo: true, demoNodes: 30, localApi: true, portalPort: 1 }));
    const service = await startService(temporaryDirectory(), ["--config", file, "--demo-nodes", "20"]);
    await using _process = service.process;
    const { nodes, groups } = await documentsOf(service);
    expect(nodes.size).toBe(20);
    expect([...groups.values()].map(({ name }) => name)).toContain("Manor");
  });
});

async function documentsOf(service: Service) {
  const client = localListener(service);
  const documents = await readDocuments(client);
  client.close();
  return documents;
}

function plainStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: basicHeader() }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once("error", reject).end();
  });
}

function filesWith(directory: string, text: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path).includes(text));
}
