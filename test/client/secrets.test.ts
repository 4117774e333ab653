/** No secret is shown anywhere, for any answer of the controller. @see client/RULES.md */

import { inspect } from "node:util";
import { expect, test } from "vitest";
import { connectTo, failureOf, startStage } from "./support/connected.ts";
import { ACCOUNT, status } from "./support/scripted-server.ts";

const CODE = "471199";
const PIN = "58321";
const KEY = "11111-22222-33333-44444-55555-01234-12345-23456";
const PRINTED = "900132782003515253545541424344453132333435212223242500100435301537022065520001000000300578";

test("G1 passwords, tokens, keys and lock codes stand in no log line, error or printout", async () => {
  await using stage = await startStage();
  const logged: unknown[] = [];
  const line = (message: string, fields?: object) => void logged.push([message, fields]);
  const home = await connectTo(stage, { log: { debug: line, warn: line }, stream: "rest", keepDocuments: true });
  // A controller that repeats every request in its answer.
  const echo = ({ authorization, body, path }: { authorization: string; body: string; path: string }) =>
    status(500, JSON.stringify({ successful: false, error: `${authorization} ${body} ${path}`, code: authorization }));
  stage.server.on("GET /rest/query", echo);
  stage.server.on(`GET /rest/zwave/node/ZW002_1/security/user/2/set/code/${CODE}`, echo);
  const failures = [
    await failureOf(home.query()),
    await failureOf((async () => home.node("Stairs").radio?.setUserCode(2, CODE))()),
  ];
  const network = home.radios.network("zwave");
  stage.server.on("POST /api/integrations/zwave/operation/answer", echo);
  stage.server.on("PUT /api/radios/zwave/provisioning", echo);
  stage.server.on(`DELETE /api/radios/zwave/provisioning/${KEY}`, echo);
  failures.push(
    await failureOf(home.integrations.answer("zwave", { kind: "pin", pin: PIN })),
    await failureOf(network.provision({ dsk: KEY, security: [] })),
    await failureOf(network.provision({ qr: PRINTED })),
    await failureOf(network.unprovision(KEY)),
  );
  stage.server.endTokens("both");
  stage.server.on("POST /api/login", echo);
  failures.push(await failureOf(home.node("Shed").query()));
  const tokens = stage.server.seen.flatMap(({ authorization, body }) => [
    authorization.replace(/^Bearer /, ""),
    /"refreshToken":"([^"]+)"/.exec(body)?.[1] ?? "",
  ]);
  const secrets = [ACCOUNT.password, CODE, PIN, KEY, PRINTED, "the broker's key", ...tokens].filter(
    (secret) => secret !== "",
  );
  const options = { depth: 20, showHidden: true, getters: true } as const;
  const shown = [home, home.nodes, home.node("Stairs"), home.node("Stairs").radio, home.stream, ...failures].flatMap(
    (thing) => [inspect(thing, options), JSON.stringify(thing) ?? "", String(thing)],
  );
  const text = [...shown, inspect(logged, options), ...failures.map(({ stack }) => stack ?? "")].join("\n");
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(secrets.length).toBeGreaterThan(5);
  expect(logged.length).toBeGreaterThan(10);
  await home.close();
});

test("G1 of the settings of an integration only those that the controller calls secret are hidden", async () => {
  await using stage = await startStage();
  const home = await connectTo(stage);
  const properties = { parameter: { type: "string" }, code: { type: "string", writeOnly: true } };
  const kinds = [
    { kind: "configure", about: "Writes a parameter.", input: { type: "object", properties, required: [] } },
  ];
  stage.server.on(
    "GET /api/integrations/insteon/operations",
    status(200, JSON.stringify({ successful: true, data: kinds })),
  );
  stage.server.on("POST /api/integrations/insteon/operation", ({ body }) =>
    status(400, JSON.stringify({ successful: false, error: `Not one of led-brightness: ${body}`, code: "BAD_VALUE" })),
  );
  const begin = () =>
    failureOf(home.integrations.begin("insteon", "configure", { parameter: "led-brigh", code: CODE }));
  expect((await begin()).message).toContain("one of …tness");
  await home.integrations.operationKinds("insteon");
  const { message } = await begin();
  expect(message).toContain("one of led-brightness");
  expect(message).toContain('"led-brigh"');
  expect(message).not.toContain(CODE);
  await home.close();
});

test("G1 a url with a password in it is refused", async () => {
  await using stage = await startStage();
  const failure = await failureOf(connectTo(stage, { url: "https://pat:sesame-street@localhost" }));
  expect(failure).toMatchObject({ code: "BAD_OPTIONS" });
  expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain("sesame");
});

test("G1 a lock code is hidden in the address of a failure, and where a connection fails", async () => {
  await using stage = await startStage();
  await using home = await connectTo(stage);
  stage.server.on(`GET /rest/zwave/node/ZW002_1/security/user/2/set/code/${CODE}`, (_seen, response) => {
    response.destroy();
    return null;
  });
  const failure = await failureOf((async () => home.node("Stairs").radio?.setUserCode(2, CODE))());
  expect(failure).toMatchObject({ code: "CONNECTION_FAILED" });
  expect(failure.url).toBe(`${stage.server.url}/rest/zwave/node/ZW002_1/security/user/2/set/code/…`);
});
