/** Hostile bodies at the real listeners: XML and 50 MB instead of JSON (S6), JSON with surprises (S7). */

import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestController, type TestController } from "../support/controller.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const MB = 1_048_576;

let controller: TestController;

beforeAll(async () => {
  // Bodies without credentials are parsed to the same depth as all others here.
  controller = await startTestController({ smallBodyBytesMax: 1_048_576 });
  await controller.login();
});

afterAll(async () => {
  expect(controller.lines.filter(({ level }) => level === "error")).toEqual([]);
  await controller[Symbol.asyncDispose]();
});

type Variable = { readonly id: string; readonly name: string; readonly val: number };
const variables = async () =>
  (await controller.portal.get("/api/variables/1")).json<{ data: readonly Variable[] }>().data;

function post(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = JSON_TYPE) {
  return controller.portal.request("POST", path, { headers: { ...controller.bearer(), ...headers }, body });
}

/** Milliseconds that it takes; the least of three, because others use this machine too. */
async function quickest(act: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const started = performance.now();
    await act();
    took.push(performance.now() - started);
  }
  return Math.min(...took);
}

describe("S6: XML instead of JSON", () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">${Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  ).join("")}]><l>&e20;</l>`;
  const bodies: readonly (readonly [string, Buffer])[] = [
    ["an entity bomb", Buffer.from(bomb)],
    ["a DTD from elsewhere", Buffer.from('<!DOCTYPE x SYSTEM "file:///etc/passwd"><x>&x;</x>')],
    ["100,000 levels", Buffer.from("<a>".repeat(100_000))],
    ["bad UTF-8", Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0xc0, 0xaf])],
    ["NUL", Buffer.from("<a>\0</a>")],
    ["UTF-16", Buffer.from("\ufeff<a/>", "utf16le")],
  ];

  test.each(bodies)("%s is refused at once, with any content type", async (_, body) => {
    for (const path of ["/api/login", "/api/jwt/refresh", "/api/variables/1/1", "/api/nodes/1A%202B%203C%201"]) {
      const asXml = await post(path, body, { "Content-Type": "text/xml" });
      const tookMs = await quickest(async () => {
        const asJson = await post(path, body);
        expect([path, asXml.status, asJson.status]).toEqual([path, 415, 400]);
      });
      expect(tookMs).toBeLessThan(100);
    }
  });

  test("on the legacy surface a body is not even looked at", async () => {
    for (const [, body] of bodies) {
      const answer = await controller.local.request("GET", "/rest/ping", { body });
      expect(answer.status).toBe(200);
    }
  });
});

describe("S6: 50 MB", () => {
  const PIECE = "x".repeat(65_536);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heldBytes = () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };

  /** Sends a body of 50 MB as fast as the controller takes it, until all is sent or the connection is cut. */
  async function flood(
    head: string,
    chunked: boolean,
  ): Promise<{ readonly status: string; readonly heldMost: number }> {
    const socket = await controller.portal.socket();
    const status = new Promise<string>((resolve) => {
      socket.once("data", (data: Buffer) => resolve(data.toString("latin1").slice(9, 12)));
      socket.once("close", () => resolve("cut"));
    });
    const before = heldBytes();
    let heldMost = 0;
    const body = function* () {
      yield `${head}${chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${50 * MB}`}\r\n\r\n`;
      for (let sent = 0; sent < 50 * MB; sent += PIECE.length) {
        yield chunked ? `10000\r\n${PIECE}\r\n` : PIECE;
        if (sent % (5 * MB) === 0) heldMost = Math.max(heldMost, heldBytes() - before);
      }
    };
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    for (const piece of body()) {
      if (!socket.writable) break;
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
    const came = await status;
    socket.destroy();
    return { status: came, heldMost };
  }

  const head = (line: string, authorization = controller.bearer().Authorization) =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: ${authorization}\r\n`;

  test.each([
    ["of the owner, with a length", "PUT /api/variables/1", false, "413"],
    ["of somebody, in chunks", "POST /api/login", true, "413"],
    ["to nowhere, in chunks", "POST /api/nowhere", true, "404"],
  ] as const)("%s are refused and never held", async (_, line, chunked, expected) => {
    const { status, heldMost } = await flood(head(line), chunked);
    expect(status).toBe(expected);
    expect(heldMost).toBeLessThan(20 * MB);
    expect((await controller.portal.get("/api/config")).status).toBe(200);
  });

  test("of a stranger are refused before any of them is read", async () => {
    const socket = await controller.portal.socket();
    socket.write(`${head("PUT /api/variables/1", "Bearer stale")}Content-Length: ${50 * MB}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1.1 401 /);
    socket.destroy();
  });

  test("are refused within 100 ms of the head, before the body arrives", async () => {
    const tookMs = await quickest(async () => {
      const socket = await controller.portal.socket();
      socket.write(`${head("PUT /api/variables/1")}Content-Length: ${50 * MB}\r\n\r\n`);
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString("latin1")).toMatch(/^HTTP\/1.1 413 /);
      socket.destroy();
    });
    expect(tookMs).toBeLessThan(100);
  });
});

describe("S7: JSON", () => {
  const wrap = (text: string) => [`{"value":${text}}`, `{"init":${text}}`, `{"prec":${text}}`];

  test.each([
    ["__proto__", ['{"__proto__":{"value":1},"value":1}', '{"\\u005f_proto__":1}', '{"constructor":{"prototype":{}}}']],
    ["100,000 levels", wrap("[".repeat(100_000) + "]".repeat(100_000))],
    ["objects 100,000 deep", ['{"value":'.repeat(100_000)]],
    ["a key given twice", ['{"value":1,"value":2}', '{"value":1,"\\u0076alue":2}']],
    ["1e400", wrap("1e400")],
    ["2^53 + 1", wrap("9007199254740993")],
    [
      "values that no variable can hold",
      ['{"value":2147483648}', '{"value":-2147483649}', '{"init":1e300}', '{"prec":10}', '{"prec":-1}'],
    ],
    ["numbers as texts", wrap('"1"')],
    ["other values", [...wrap("null"), ...wrap("true"), ...wrap("{}"), ...wrap("NaN"), ...wrap("0x10"), ...wrap("01")]],
    ["half a surrogate pair", ['{"name":"\\ud800"}', '{"name":"a\\udc00b"}']],
    ["names that are none", ['{"name":""}', '{"name":5}', '{"name":"a\\u0000b"}', `{"name":"${"x".repeat(201)}"}`]],
    ["no object", ["", "null", "[]", "5", '"x"', "true", "{", "{}{}", "\ufeff{}", "{'value':1}"]],
  ] as const)("%s is refused, and nothing changes", async (_, texts) => {
    const before = await variables();
    for (const text of texts) {
      for (const path of ["/api/variables/1/3", "/api/nodes/1A%202B%203C%201", "/api/login"]) {
        const { status } = await post(path, text);
        expect([text.slice(0, 40), path, status]).toEqual([text.slice(0, 40), path, 400]);
      }
      const put = await controller.portal.request("PUT", "/api/variables/1", {
        headers: { ...controller.bearer(), ...JSON_TYPE },
        body: text,
      });
      expect([text.slice(0, 40), put.status]).toEqual([text.slice(0, 40), 400]);
    }
    expect(await variables()).toEqual(before);
    expect(Reflect.get({}, "value")).toBeUndefined();
  });

  test.each([
    ['{"value":2147483647}', { val: 2_147_483_647 }],
    ['{"value":-2147483648}', { val: -2_147_483_648 }],
    ['{"value":-0}', { val: 0 }],
    ['{"init":1E2}', { init: 100 }],
    ['{"name":"\\ud83d\\ude00 __proto__"}', { name: "😀 __proto__" }],
    ['{"name":"constructor"}', { name: "constructor" }],
    ['{ "name" : "\\u0041\\/" }', { name: "A/" }],
  ])("%s arrives exactly", async (text, expected) => {
    expect((await post("/api/variables/1/3", text)).status).toBe(200);
    expect((await variables()).find(({ id }) => id === "3")).toMatchObject(expected);
  });
});
