/** An exception that no part of the service handles: how the process ends, and that what was acknowledged is there at the next start. */

import { expect, test } from "vitest";
import { CREDENTIALS, startService } from "../simulation/service-process.ts";
import { OWNER, type Tokens } from "../support/controller.ts";
import { createHttpsClient } from "../support/https-client.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { readLines } from "./lines.ts";

const NAME = "Written before the exception";
const QUOTED = "the door code is 4711";
const THROWING = `process.on("SIGUSR2", () => { throw new Error("${QUOTED}"); })`;
const THROWS = `data:text/javascript;base64,${Buffer.from(THROWING).toString("base64")}`;

test("it ends with status 70 and an error in the log that quotes nothing; acknowledged writes are there at the next start", async () => {
  const data = temporaryDirectory();
  const env = { ...CREDENTIALS, NODE_OPTIONS: `--import=${THROWS}` };
  const first = await startService(data, [], { env });
  await using process = first.process;
  const client = await loggedIn(first.portalUrl);
  expect((await client.put("/api/variables/1", { name: NAME })).status).toBeLessThan(300);
  process.signal("SIGUSR2");
  client.close();
  const { code, stderr } = await process.ended;
  const { log } = readLines(stderr);
  expect([code, log.filter(({ level }) => level === "error")]).toEqual([
    70,
    [expect.objectContaining({ fault: "Error" })],
  ]);
  expect(stderr).not.toContain("4711");

  const second = await startService(data);
  await using _second = second.process;
  const again = await loggedIn(second.portalUrl);
  expect((await again.get("/api/variables/1")).text).toContain(NAME);
  again.close();
});

async function loggedIn(url: string) {
  let headers: Readonly<Record<string, string>> = {};
  const client = createHttpsClient(
    () => url,
    () => headers,
  );
  const { data } = (await client.post("/api/login", OWNER)).json<{ data: Tokens }>();
  headers = { Authorization: `Bearer ${data.accessToken}` };
  return client;
}
