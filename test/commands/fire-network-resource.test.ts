/** Network resources: really fired at local servers, and kept from where they must not go. */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { fireNetworkResource } from "../../src/commands/fire-network-resource.ts";
import type { NetworkResource } from "../../src/home/network-resources.ts";
import type { Resolve } from "../../src/util/network-target.ts";
import { type CommandServices, codeOf, createServices, REQUEST, told } from "./command-services.ts";

const ANSWER_BYTES_MAX = 1024;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const resource = (patch: Partial<NetworkResource>): NetworkResource => ({
  id: 1,
  name: "Ring the chime",
  protocol: "http",
  host: "127.0.0.1",
  port: 80,
  method: "GET",
  path: "/",
  headers: [],
  body: "",
  timeoutMs: 0,
  ...patch,
});

/** A machine may have no IPv6. */
const UDP = (
  [
    ["udp4", "127.0.0.1"],
    ["udp6", "::1"],
  ] as const
).filter(([, host]) => Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === host)));

async function fireServices(patch: Partial<NetworkResource>, settings = {}) {
  const services = await createServices({ networkTargets: ["127.0.0.0/8"], ...settings });
  services.feed.commit({ type: "network-resource-put", resource: resource(patch) }, REQUEST);
  return services;
}

/** Fires and waits for the outcome. */
async function outcomeOf(services: CommandServices, names?: Resolve) {
  const { promise, resolve } = Promise.withResolvers<void>();
  services.feed.listen(({ change }) => {
    if (change.type === "network-resource-fired") resolve();
  });
  await fireNetworkResource(services, 1, REQUEST, names ? { resolve: names } : {});
  await promise;
  const [fired] = told(services, "network-resource-fired");
  return [fired?.outcome, fired?.detail];
}

/** How a firing ends, with the shortest limit of an answer. */
async function endOf(patch: Partial<NetworkResource>) {
  const services = await fireServices(patch, { networkAnswerBytesMax: ANSWER_BYTES_MAX });
  return (await fireNetworkResource(services, 1, REQUEST)).ended;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  closing.push(() => server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const web = (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer);
  closing.push(() => server.closeAllConnections());
  return listening(server);
};

describe("values in its texts", () => {
  async function received(patch: Partial<NetworkResource>, about: string | null = null) {
    const got = Promise.withResolvers<{ readonly url?: string; readonly header?: string; readonly body: string }>();
    const port = await web((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.end();
        const { url = "", headers } = request;
        got.resolve({ url, header: String(headers["x-value"] ?? ""), body: Buffer.concat(chunks).toString("utf8") });
      });
    });
    const services = await fireServices({ port, method: "POST", ...patch });
    const variable = { type: 1, id: 1, name: "Gäste & Co", value: 225, init: 0, prec: 1, writtenAtMs: 0 } as const;
    services.feed.commit({ type: "variable-added", variable }, REQUEST);
    const { ended } = await fireNetworkResource(services, 1, REQUEST, { about });
    return { ...(await got.promise), detail: (await ended).detail };
  }

  test("are filled in the address, the headers and the body", async () => {
    const { url, header, body, detail } = await received({
      path: `/x?v=\${var.1.1}&n=$%7BG%C3%A4ste%20&%20Co%7D`,
      headers: [{ name: "X-Value", value: `v \${Gäste & Co}` }],
      body: `\${var.1.1} \${Gäste & Co} \${$Gäste & Co}`,
    });
    expect([url, header, body]).toEqual(["/x?v=22.5&n=22.5", "v 22.5", "22.5 22.5 22.5"]);
    expect(detail).toBe("HTTP 200.");
  });

  test("that are not known are ?, and the outcome says so", async () => {
    const { url, body, detail } = await received({
      path: `/\${var.2.9}`,
      body: `\${sys.node.#.ST} \${Nothing.ST} \${sys.program.0FFF.status} \${}`,
    });
    expect([url, body]).toEqual(["/%3F", `? ? ? \${}`]);
    expect(detail).toBe(
      `HTTP 200. No value for \${var.2.9}, \${sys.node.#.ST}, \${Nothing.ST}, \${sys.program.0FFF.status}.`,
    );
  });
});

describe("the request", () => {
  test("an HTTP request with its method, path, headers and body", async () => {
    const seen: unknown[] = [];
    const port = await web(async (request, response) => {
      const body = (await request.toArray()).join("");
      const { method, url, headers } = request;
      seen.push(method, url, headers.host, headers["x-token"], headers["content-length"], body);
      response.end("ok");
    });
    const headers = [
      { name: "X-Token", value: "s3cret" },
      { name: "X-Token", value: "other" },
      { name: "host", value: "chime.lan" },
    ];
    const services = await fireServices({ port, method: "POST", path: "/ring?tone=2", headers, body: "lärm" });
    expect(await outcomeOf(services)).toEqual(["done", "HTTP 200."]);
    expect(seen).toEqual(["POST", "/ring?tone=2", "chime.lan", "s3cret, other", "5", "lärm"]);
    expect(services.entries.at(-1)?.cause).toEqual(REQUEST);
  });

  test("a request without a body states no length", async () => {
    const seen = Promise.withResolvers<string | undefined>();
    const port = await web(({ headers }, response) => {
      seen.resolve(headers["content-length"]);
      response.end();
    });
    await outcomeOf(await fireServices({ port }));
    expect(await seen.promise).toBeUndefined();
  });

  test("the bytes of a TCP message", async () => {
    const heard = Promise.withResolvers<string>();
    const port = await listening(
      createTcpServer(async (socket: Socket) => heard.resolve((await socket.toArray()).join(""))),
    );
    const services = await fireServices({ protocol: "tcp", port, body: "PWR ON\r" });
    expect(await outcomeOf(services)).toEqual(["done", "7 bytes sent."]);
    expect(await heard.promise).toBe("PWR ON\r");
  });

  test.each(UDP)("the bytes of a packet by %s", async (type, host) => {
    const socket = createSocket(type);
    closing.push(() => socket.close());
    socket.bind(0, host);
    await once(socket, "listening");
    const heard = once(socket, "message");
    const { port } = socket.address();
    const services = await fireServices({ protocol: "udp", host, port, body: "beep" }, { networkTargets: [host] });
    expect(await outcomeOf(services)).toEqual(["done", "4 bytes sent."]);
    expect(String((await heard)[0])).toBe("beep");
  });
});

test("a packet that is too large for UDP is a failure", async () => {
  const services = await fireServices({ protocol: "udp", port: 9, body: "x".repeat(65_536) });
  expect(await outcomeOf(services)).toEqual(["failed", "The request failed (EMSGSIZE)."]);
});

describe("the answer", () => {
  test.each([
    [404, "HTTP 404."],
    [300, "HTTP 300: redirects are not followed."],
    [302, "HTTP 302: redirects are not followed."],
    [500, "HTTP 500."],
  ])("an answer %i is a failure", async (status, detail) => {
    let requests = 0;
    const port = await web((_request, response) => {
      requests += 1;
      response.writeHead(status, { Location: "/elsewhere" }).end();
    });
    const services = await fireServices({ port });
    expect(await outcomeOf(services)).toEqual(["failed", detail]);
    expect([requests, services.lines[0]?.level]).toEqual([1, "warn"]);
  });

  test("that comes in pieces has its whole text", async () => {
    const port = await web((_request, response) => {
      response.write("be");
      setImmediate(() => response.end("ep"));
    });
    expect(await endOf({ port })).toMatchObject({ outcome: "done", answer: { status: 200, text: "beep" } });
  });

  test("that breaks off is a failure", async () => {
    const port = await web((_request, response) => {
      response.writeHead(200, { "Content-Length": 4 }).write("be", () => response.destroy());
    });
    expect(await outcomeOf(await fireServices({ port }))).toEqual(["failed", "The request failed (ECONNRESET)."]);
  });

  test("an answer without end is cut at the limit and still an answer", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await web((_request, response) => {
      response.on("close", closed.resolve).writeHead(200);
      const more = () => {
        if (response.write("x".repeat(1000))) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    const services = await fireServices({ port }, { networkAnswerBytesMax: 5000 });
    expect(await outcomeOf(services)).toEqual(["done", "HTTP 200."]);
    await closed.promise;
  });

  test.each([
    ["whole", ANSWER_BYTES_MAX],
    ["cut at the limit", ANSWER_BYTES_MAX + 1],
  ])("of an HTTP device has its status and type, and its text %s", async (_claim, length) => {
    const port = await web((_request, response) =>
      response.writeHead(503, { "Content-Type": "text/plain" }).end("x".repeat(length)),
    );
    expect(await endOf({ port })).toMatchObject({
      outcome: "failed",
      answer: { status: 503, contentType: "text/plain", text: "x".repeat(ANSWER_BYTES_MAX) },
    });
  });

  test.each([
    ["nothing", 0],
    ["its whole text", ANSWER_BYTES_MAX],
    ["its text cut at the limit", ANSWER_BYTES_MAX + 1],
  ])("of a TCP device is %s", async (_claim, length) => {
    // A device that sends more than the limit leaves the connection open.
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      closing.push(() => socket.destroy());
      socket.on("error", () => {}).write("x".repeat(length));
      if (length <= ANSWER_BYTES_MAX) socket.end();
    });
    const text = "x".repeat(Math.min(length, ANSWER_BYTES_MAX));
    const answer = length === 0 ? null : { status: null, contentType: "", text };
    expect(await endOf({ protocol: "tcp", port: await listening(server) })).toMatchObject({ outcome: "done", answer });
  });

  test("of a TCP device that comes in pieces has its whole text", async () => {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.write("be", () => setTimeout(() => socket.end("ep"), 20));
    });
    const answer = { text: "beep" };
    expect(await endOf({ protocol: "tcp", port: await listening(server) })).toMatchObject({ outcome: "done", answer });
  });

  test.each(["http", "tcp"] as const)("nobody listening on %s is a failure with its reason", async (protocol) => {
    const server = createTcpServer();
    const port = await listening(server);
    server.close();
    await once(server, "close");
    expect(await outcomeOf(await fireServices({ protocol, port }))).toEqual([
      "failed",
      "The request failed (ECONNREFUSED).",
    ]);
  });

  test("a server without a certificate that the machine trusts is refused", async () => {
    const port = await web((_request, response) => response.end());
    const [outcome] = await outcomeOf(await fireServices({ protocol: "https", port }));
    expect(outcome).toBe("failed");
  });

  test("silence ends at the resource's own time", async () => {
    const asked = Promise.withResolvers<void>();
    const port = await web(() => asked.resolve());
    const services = await fireServices({ port, timeoutMs: 500 });
    const outcome = outcomeOf(services);
    await asked.promise;
    await services.clock.advance(500);
    expect(await outcome).toEqual(["failed", "No answer in 500 ms."]);
  });

  test.each([
    ["a larger one of the resource does not count", 60_000],
    ["none of the resource", 0],
  ])("the longest time of the settings holds: %s", async (_what, timeoutMs) => {
    const asked = Promise.withResolvers<void>();
    const port = await web(() => asked.resolve());
    const services = await fireServices({ port, timeoutMs }, { networkTimeoutMs: 2000 });
    const outcome = outcomeOf(services);
    await asked.promise;
    await services.clock.advance(1999);
    expect(told(services, "network-resource-fired")).toEqual([]);
    await services.clock.advance(1);
    expect(await outcome).toEqual(["failed", "No answer in 2000 ms."]);
  });

  test("a name service that never answers ends there too", async () => {
    const services = await fireServices({ host: "chime.lan" });
    const outcome = outcomeOf(services, () => new Promise(() => {}));
    await services.clock.advance(services.config.networkTimeoutMs);
    expect(await outcome).toEqual(["failed", "No answer in 30000 ms."]);
  });

  test("a TCP peer that keeps the connection open has received the message", async () => {
    const connected = Promise.withResolvers<Socket>();
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.resume();
      socket.on("end", () => connected.resolve(socket));
      socket.on("error", () => {});
    });
    const port = await listening(server);
    const services = await fireServices({ protocol: "tcp", port, body: "hi", timeoutMs: 500 });
    const outcome = outcomeOf(services);
    const socket = await connected.promise;
    await services.clock.advance(500);
    expect(await outcome).toEqual(["done", "2 bytes sent."]);
    socket.destroy();
  });

  test("firing is acknowledged before anything came back, and the controller's stop ends it", async () => {
    const port = await web(() => {});
    const services = await fireServices({ port });
    const outcome = outcomeOf(services);
    services.queue.stop();
    expect(await outcome).toEqual(["failed", "The controller stops."]);
  });

  test("as many at once as the settings say; the others wait", async () => {
    let open = 0;
    const answers: ServerResponse[] = [];
    const bothIn = Promise.withResolvers<void>();
    const port = await web((_request, response) => {
      open += 1;
      answers.push(response);
      if (open === 2) bothIn.resolve();
    });
    const services = await fireServices({ port }, { networkFiresAtOnce: 2 });
    const done = Promise.withResolvers<void>();
    services.feed.listen(() => told(services, "network-resource-fired").length === 3 && done.resolve());
    for (let n = 0; n < 3; n += 1) await fireNetworkResource(services, 1, REQUEST);
    await bothIn.promise;
    expect(answers).toHaveLength(2);
    for (const answer of answers) answer.end();
    const waitForThird = setInterval(() => answers[2]?.end(), 1);
    closing.push(() => clearInterval(waitForThird));
    await done.promise;
    expect(open).toBe(3);
  });
});

describe("refused at once", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "LOCALHOST.",
    "chime.localhost",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "１２７.0.0.1",
    "0.0.0.0",
    "0",
    "169.254.169.254",
    "169.254.1.1",
    "100.100.100.200",
    "224.0.0.251",
    "255.255.255.255",
    "::",
    "[::1]",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "::ffff:0:7f00:1",
    "2002:7f00:1::",
    "fe80::1",
    "fd00:ec2::254",
    "ff02::1",
  ])("%s", async (host) => {
    const services = await fireServices({ host }, { networkTargets: [] });
    expect(await codeOf(fireNetworkResource(services, 1, REQUEST))).toBe("TARGET_REFUSED");
    expect(told(services, "network-resource-fired")).toEqual([]);
  });

  test.each<[string, Partial<NetworkResource>]>([
    ["a header that breaks its line", { headers: [{ name: "X", value: "a\r\nEvil: 1" }] }],
    ["a header name that does", { headers: [{ name: "X\r\nEvil", value: "1" }] }],
    ["a header that frames the request", { headers: [{ name: "Transfer-Encoding", value: "chunked" }] }],
    ["a path with a space", { path: "/ HTTP/1.1" }],
    ["a path without a slash", { path: "http://elsewhere/" }],
    ["another method", { method: "CONNECT" }],
    ["port 0", { port: 0, protocol: "udp" }],
    ["port 65536", { port: 65_536 }],
    ["half a port", { port: 80.5 }],
    ["a host with a path", { host: "127.0.0.1/x" }],
    ["a host with a login", { host: "me@127.0.0.1" }],
    ["a host with a port", { host: "127.0.0.1:80" }],
    ["an address with a zone", { host: "fe80::1%eth0" }],
    ["no host", { host: "" }],
  ])("%s", async (_claim, patch) => {
    const services = await fireServices(patch);
    expect(await codeOf(fireNetworkResource(services, 1, REQUEST))).toBe("BAD_VALUE");
  });

  test("neither the first nor the last port is out of range", async () => {
    for (const port of [1, 65_535]) {
      const services = await fireServices({ protocol: "udp", port });
      expect(await codeOf(fireNetworkResource(services, 1, REQUEST))).toBe("none");
    }
  });

  test("every address of this machine, for the controller listens there", async () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).map(({ address }) => address),
    );
    for (const host of own) {
      const services = await fireServices({ host }, { networkTargets: [] });
      expect(await codeOf(fireNetworkResource(services, 1, REQUEST))).toBe("TARGET_REFUSED");
    }
  });

  test("an unknown resource", async () => {
    const services = await fireServices({});
    expect(await codeOf(fireNetworkResource(services, 2, REQUEST))).toBe("RESOURCE_NOT_FOUND");
  });
});

describe("names", () => {
  const to =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  test("a name that leads where it must not is refused, also by one address of several", async () => {
    const services = await fireServices({ host: "innocent.example" }, { networkTargets: [] });
    const [outcome, detail] = await outcomeOf(services, to("192.0.2.1", "127.0.0.1"));
    expect([outcome, detail]).toEqual(["failed", expect.stringContaining("are not allowed")]);
  });

  test.each([
    ["http", "HTTP 200."],
    ["tcp", "2 bytes sent."],
  ] as const)("is resolved once for %s, and only the checked address is connected to", async (protocol, detail) => {
    let asked = 0;
    const port = await (protocol === "http"
      ? web((_request, response) => response.end())
      : listening(createTcpServer((socket) => socket.resume().end())));
    const patch = { protocol, host: "flip.example", port, body: "hi" };
    const services = await fireServices(patch, { networkTargets: ["flip.example"] });
    const flipping = async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "192.0.2.1", family: 4 }];
    };
    expect(await outcomeOf(services, flipping)).toEqual(["done", detail]);
    expect(asked).toBe(1);
  });

  test("an HTTPS request names the server in its handshake, not the host of its header", async () => {
    const hello = Promise.withResolvers<string>();
    const port = await listening(
      createTcpServer((socket) => {
        socket.once("data", (chunk) => {
          hello.resolve(chunk.toString("latin1"));
          socket.destroy();
        });
      }),
    );
    const headers = [{ name: "Host", value: "header.example" }];
    const patch = { protocol: "https", host: "flip.example", port, headers } as const;
    const services = await fireServices(patch, { networkTargets: ["flip.example"] });
    const [outcome] = await outcomeOf(services, to("127.0.0.1"));
    expect(await hello.promise).toContain("flip.example");
    expect(await hello.promise).not.toContain("header.example");
    expect(outcome).toBe("failed");
  });

  test("are resolved by this machine", async () => {
    const port = await web((_request, response) => response.end());
    const services = await fireServices({ host: "localhost", port }, { networkTargets: ["localhost"] });
    expect(await outcomeOf(services)).toEqual(["done", "HTTP 200."]);
  });

  test("without an address is a failure", async () => {
    for (const protocol of ["http", "udp"] as const) {
      const [outcome] = await outcomeOf(await fireServices({ host: "nobody.example", protocol }), async () => []);
      expect(outcome).toBe("failed");
    }
  });
});
