import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { ControllerError } from "../../src/errors.ts";
import { adminOrigins, checkHost, checkSite } from "../../src/http/browser-rules.ts";
import { exchangeRaw, head, openFakeListener, statusOf } from "./fake-services.ts";

function outcome(act: () => void): string {
  try {
    act();
    return "allowed";
  } catch (error) {
    return error instanceof ControllerError ? error.code : "threw";
  }
}

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140";
const OLD_SAFARI = "Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) AppleWebKit/605.1.15 Version/15.6 Safari/604.1";

const OWN_PAGE = "http://192.168.1.20:5173";
const TLS = { encrypted: true, origins: new Set([OWN_PAGE]) };
const PLAIN = { ...TLS, encrypted: false };

describe("an owner's own page", () => {
  const BASIC = "Basic YTpi";
  const change = (headers: IncomingHttpHeaders) =>
    outcome(() => checkSite({ host: "home.lan:8443", ...headers }, TLS, true));

  test.each<[string, IncomingHttpHeaders]>([
    ["with basic credentials", { origin: OWN_PAGE, authorization: BASIC }],
    ["of a new browser", { origin: OWN_PAGE, authorization: BASIC, "sec-fetch-site": "same-origin" }],
    ["without credentials, for which it is then asked", { origin: OWN_PAGE }],
  ])("may change %s", (_, headers) => expect(change(headers)).toBe("allowed"));

  test.each<[string, IncomingHttpHeaders]>([
    ["with a token of the portal", { origin: OWN_PAGE, authorization: "Bearer x" }],
    ["with a cookie", { origin: OWN_PAGE, authorization: BASIC, cookie: "a=b" }],
    ["past its server, from another site", { origin: OWN_PAGE, authorization: BASIC, "sec-fetch-site": "cross-site" }],
    ["under another port", { origin: "http://192.168.1.20:5174", authorization: BASIC }],
    ["by another scheme", { origin: "https://192.168.1.20:5173", authorization: BASIC }],
    ["as the beginning of another name", { origin: `${OWN_PAGE}.evil.example`, authorization: BASIC }],
  ])("is refused %s", (_, headers) => expect(change(headers)).toBe("CROSS_SITE_REFUSED"));

  test.each([
    "192.168.1.20:5173",
    "http://192.168.1.20:5173/",
    "*",
    "file://",
    "http://192.168.1.20:80",
    "null",
    "http://A.lan",
  ])("the setting takes no %s", (origin) =>
    expect(outcome(() => adminOrigins({ adminOrigins: [origin] }))).toBe("BAD_VALUE"),
  );
});

describe("a change over TLS", () => {
  const change = (headers: IncomingHttpHeaders) =>
    outcome(() => checkSite({ host: "home.lan:8443", ...headers }, TLS, true));

  test.each<[string, IncomingHttpHeaders]>([
    ["a program", {}],
    ["a program by its name", { "user-agent": "Python/3.11 aiohttp/3.14.3" }],
    ["a legacy client with its origin", { origin: "com.universal-devices.websockets.isy" }],
    ["an extension of the browser", { origin: "chrome-extension://abc" }],
    ["our own page", { origin: "https://home.lan:8443", "sec-fetch-site": "same-origin" }],
    ["our own page in a browser without Sec-Fetch", { origin: "https://home.lan:8443" }],
    ["our own page, named by the referer", { referer: "https://home.lan:8443/rest/nodes" }],
    ["the default port left out", { host: "home.lan:443", origin: "https://home.lan" }],
    ["another case of the name", { host: "Home.LAN:8443", origin: "https://home.lan:8443" }],
  ])("is allowed to %s", (_, headers) => expect(change(headers)).toBe("allowed"));

  test.each<[string, IncomingHttpHeaders]>([
    ["an image, form or script of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a link of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
    ["a page of the same site but another origin", { "sec-fetch-site": "same-site", origin: "https://other.lan" }],
    ["an image of a page of the same site", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    [
      "a link in a message, for the browser remembers credentials",
      { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
    ],
    ["another case of the word", { "sec-fetch-site": "Cross-Site", "sec-fetch-mode": "no-cors" }],
    ["a word that nobody knows", { "sec-fetch-site": "cross-origin" }],
    ["no word at all", { "sec-fetch-site": "" }],
    ["two words", { "sec-fetch-site": "same-origin, cross-site" }],
    ["a page of a file", { origin: "file://" }],
    ["an empty origin", { origin: "" }],
    ["an origin of another scheme", { origin: "data:text/html,x" }],
    ["a foreign origin in capitals", { origin: "HTTPS://EVIL.EXAMPLE" }],
    ["a hidden origin in capitals", { origin: "NULL" }],
    ["a foreign origin that is shown with none", { origin: "https://evil.example", "sec-fetch-site": "none" }],
    ["a fetch of another site", { origin: "https://evil.example" }],
    ["a page that hides its origin", { origin: "null" }],
    ["a page on another port", { origin: "https://home.lan:9000" }],
    ["a page without TLS", { origin: "http://home.lan:8443" }],
    ["two origins", { origin: "https://home.lan:8443, https://evil.example" }],
    ["an origin with a user in it", { origin: "https://home.lan:8443@evil.example" }],
    [
      "a foreign origin that claims to be the same",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ],
    ["an old browser with a foreign referer", { referer: "https://evil.example/page" }],
    ["an old browser that was told to keep it to itself", { "user-agent": OLD_SAFARI }],
  ])("is refused to %s", (_, headers) => expect(change(headers)).toBe("CROSS_SITE_REFUSED"));
});

describe("a change without TLS, where browsers leave Sec-Fetch out", () => {
  const change = (headers: IncomingHttpHeaders) =>
    outcome(() => checkSite({ host: "home.lan", ...headers }, PLAIN, true));

  test("is refused to a browser that does not say where it comes from", () => {
    expect(change({ "user-agent": CHROME })).toBe("CROSS_SITE_REFUSED");
    expect(change({ "user-agent": CHROME, referer: "http://home.lan/rest/nodes" })).toBe("allowed");
    expect(change({ "user-agent": "Python/3.11 aiohttp/3.14.3" })).toBe("allowed");
  });

  test("is allowed to a page that came over TLS through a proxy", () => {
    expect(change({ origin: "https://home.lan" })).toBe("allowed");
  });

  test("is refused to an origin that is no web page", () => {
    expect(change({ origin: "ftp://home.lan" })).toBe("CROSS_SITE_REFUSED");
  });
});

describe("a read", () => {
  const read = (headers: IncomingHttpHeaders) => outcome(() => checkSite({ host: "home.lan", ...headers }, TLS, false));

  test("is refused to the scripts and images of other sites, not to who follows a link", () => {
    expect(read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toBe("CROSS_SITE_REFUSED");
    expect(read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" })).toBe("CROSS_SITE_REFUSED");
    expect(read({ "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" })).toBe("CROSS_SITE_REFUSED");
    expect(read({ "sec-fetch-site": "Cross-Site", "sec-fetch-mode": "no-cors" })).toBe("CROSS_SITE_REFUSED");
    expect(read({ "sec-fetch-site": "", "sec-fetch-mode": "no-cors" })).toBe("CROSS_SITE_REFUSED");
    expect(read({ "sec-fetch-site": "none", "sec-fetch-mode": "navigate" })).toBe("allowed");
    expect(read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBe("allowed");
    expect(read({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" })).toBe("allowed");
    expect(read({})).toBe("allowed");
  });
});

describe("host names", () => {
  const rule = { names: new Set(["home.example.org"]), encrypted: true };
  const host = (value: string, headers: IncomingHttpHeaders = {}, encrypted = true) =>
    outcome(() => checkHost({ host: value, ...headers }, ["Host", value], { ...rule, encrypted }));
  const browser = { "user-agent": CHROME };

  test.each([
    "localhost",
    "localhost:8443",
    "127.0.0.1",
    "192.168.1.5:443",
    "[::1]",
    "[fe80::1]:8443",
    "[::ffff:192.168.1.5]",
    "eisy",
    "eisy.local",
    "a.b.lan",
    "x.home",
    "x.home.arpa",
    "x.internal",
    "x.localdomain",
    "EISY.Local.",
    "home.example.org",
    "Home.Example.org:8443",
    "home.example.org.",
  ])("%s serves pages", (name) => expect(host(name, browser)).toBe("allowed"));

  test.each([
    "evil.example",
    "evil.example:8443",
    "127.0.0.1.evil.example",
    "local.evil.example",
    "evillocal.example",
    "1.2.3.4.5",
    "home.example.org.evil.example",
    "[1::2::3]",
  ])("%s serves programs over TLS only", (name) => {
    expect(host(name)).toBe("allowed");
    expect(host(name, browser)).toBe("HOST_REFUSED");
    expect(host(name, { origin: `https://${name}` })).toBe("HOST_REFUSED");
    expect(host(name, { cookie: "a=b" })).toBe("HOST_REFUSED");
    expect(host(name, { referer: `https://${name}/` })).toBe("HOST_REFUSED");
    for (const sent of ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"]) {
      expect(host(name, { [sent]: "empty" })).toBe("HOST_REFUSED");
    }
    expect(host(name, {}, false)).toBe("HOST_REFUSED");
  });

  test.each(["", "a b", "user@home.lan", "home.lan:", "home.lan:x", "home.lan:123456", "%6c", "[::1", "a/b", "a,b"])(
    "%j is malformed",
    (name) => expect(host(name)).toBe("BAD_REQUEST"),
  );

  test("none and two are malformed", () => {
    expect(outcome(() => checkHost({}, [], rule))).toBe("BAD_REQUEST");
    expect(outcome(() => checkHost({ host: "a" }, ["Host", "a", "host", "b"], rule))).toBe("BAD_REQUEST");
  });
});

describe("at the door", () => {
  test("a foreign page changes nothing, reads nothing, and opens no stream, with any stored credentials", async () => {
    await using context = await openFakeListener({ listener: "local" });
    const evil = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" };
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", Origin: "https://evil.example" };
    const answers = await Promise.all([
      exchangeRaw(context.port, head("GET /rest/nodes/n1/cmd/DON", evil)),
      exchangeRaw(context.port, head("GET /rest/echo", evil)),
      exchangeRaw(context.port, head("GET /rest/subscribe", upgrade)),
    ]);
    expect(answers.map(statusOf)).toEqual([403, 403, 403]);
    expect(answers.join("")).not.toMatch(/access-control/i);
  });

  test("a rebound name with matching origin neither reads nor writes", async () => {
    await using context = await openFakeListener();
    const rebound = {
      Host: "evil.example",
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "same-origin",
      "User-Agent": CHROME,
    };
    const answers = await Promise.all([
      exchangeRaw(context.port, head("GET /rest/echo", rebound)),
      exchangeRaw(context.port, head("GET /api/config", rebound)),
      exchangeRaw(context.port, head("GET /rest/nodes/n1/cmd/DON", rebound)),
      exchangeRaw(
        context.port,
        head("GET /rest/subscribe", { ...rebound, Connection: "Upgrade", Upgrade: "websocket" }),
      ),
    ]);
    expect(answers.map(statusOf)).toEqual([403, 403, 403, 403]);
  });

  test("a rule applies to the path as it is routed, in any spelling", async () => {
    await using context = await openFakeListener();
    for (const path of [
      "/rest/nodes/n1/cmd/DON",
      "//rest/nodes/n1/cmd/DON/",
      "/%72est/nodes/n1/c%6dd/DON",
      "/rest//rest/nodes/n1/cmd/DON",
    ]) {
      expect(statusOf(await exchangeRaw(context.port, head(`GET ${path}`, { Origin: "https://evil.example" })))).toBe(
        403,
      );
      expect(statusOf(await exchangeRaw(context.port, head(`GET ${path}`, { Authorization: "bad" })))).toBe(401);
      expect(statusOf(await exchangeRaw(context.port, head(`GET ${path}`)))).toBe(200);
    }
  });
});

test("an image on a page of the same site, which shows no origin, reads and switches nothing", async () => {
  await using server = await openFakeListener({ listener: "local" });
  const image = { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" };
  for (const path of ["/rest/nodes/1/cmd/DON", "/rest/echo"]) {
    expect(statusOf(await exchangeRaw(server.port, head(`GET ${path}`, image)))).toBe(403);
  }
});

test("a link in a message shows what it leads to, and switches nothing", async () => {
  await using server = await openFakeListener({ listener: "local" });
  const link = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate" };
  expect(statusOf(await exchangeRaw(server.port, head("GET /rest/echo", link)))).toBe(200);
  expect(statusOf(await exchangeRaw(server.port, head("GET /rest/nodes/1/cmd/DON", link)))).toBe(403);
});
