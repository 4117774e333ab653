import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDomovoi, type Service, startService } from "../simulation/service-process.ts";
import { LOCAL, OWNER } from "../support/controller.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";

async function login({ portalUrl }: Service, password: string) {
  const portal = createHttpsClient(
    () => portalUrl,
    () => ({}),
  );
  const answer = await portal.post("/api/login", { username: OWNER.username, password });
  portal.close();
  return answer;
}

async function stop({ process }: Service): Promise<void> {
  process.signal("SIGTERM");
  await process.ended;
}

test("a new password replaces the old one and ends the account's sessions", async () => {
  const data = temporaryDirectory();
  const before = await startService(data);
  await using _before = before.process;
  const { refreshToken } = (await login(before, OWNER.password)).json<{ data: { refreshToken: string } }>().data;
  await stop(before);

  const generated = await runDomovoi(["reset-password", OWNER.username, "--data", data], { env: {} });
  expect({ code: generated.code, stderr: generated.stderr }).toEqual({ code: 0, stderr: "" });
  const [, password = ""] = /^owner@example\.org {3}(\S{24})\n$/.exec(generated.stdout) ?? [];
  const chosen = { env: { DOMOVOI_NEW_PASSWORD: "rain on the roof" } };
  const local = await runDomovoi(["reset-password", LOCAL.username, "--data", data], chosen);
  expect(local.stdout).toBe("admin   rain on the roof\n");

  const after = await startService(data);
  await using _after = after.process;
  expect((await login(after, OWNER.password)).status).toBe(401);
  expect((await login(after, password)).status).toBe(200);
  const client = createHttpsClient(
    () => after.localUrl,
    () => ({ Authorization: `Basic ${Buffer.from("admin:rain on the roof").toString("base64")}` }),
  );
  expect((await client.get("/rest/ping")).status).toBe(200);
  const portal = createHttpsClient(
    () => after.portalUrl,
    () => ({}),
  );
  expect((await portal.post("/api/jwt/refresh", { refreshToken })).status).toBe(401);
  client.close();
  portal.close();
});

test("an unknown account, a short password, a home in use and a missing home get one sentence each", async () => {
  const data = temporaryDirectory();
  const service = await startService(data);
  await using _process = service.process;
  const reset = async (login: string, dir: string, password = "rain on the roof") => {
    const { code, stdout, stderr } = await runDomovoi(["reset-password", login, "--data", dir], {
      env: { DOMOVOI_NEW_PASSWORD: password },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    return stderr;
  };
  expect(await reset(OWNER.username, data)).toMatch(
    /^domovoi: The data directory ".*" \(setting data\) is in use .*\n$/,
  );
  await stop(service);
  expect(await reset("nobody", data)).toBe(`domovoi: There is no account "nobody".\n`);
  expect(await reset(OWNER.username, data, "short")).toBe("domovoi: A password has at least 8 characters.\n");
  const elsewhere = join(data, "elsewhere");
  expect(await reset(OWNER.username, elsewhere)).toBe(`domovoi: There is no home in "${elsewhere}".\n`);
  expect(existsSync(elsewhere)).toBe(false);
});
