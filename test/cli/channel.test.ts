/** `domovoi channel` against a running controller and a receiver on loopback. */

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runDomovoi, startService } from "../simulation/service-process.ts";
import { OWNER } from "../support/controller.ts";

test("a channel is added, listed, tested and removed; errors say what to do", async () => {
  const directory = mkdtempSync(join(tmpdir(), "domovoi-channel-"));
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const service = await startService(directory);
  const channel = async (...args: readonly string[]) => {
    const where = ["--url", service.portalUrl, "--ca", join(directory, "secrets", "ca-cert")];
    const env = {
      DOMOVOI_USER: OWNER.username,
      DOMOVOI_PASSWORD: OWNER.password,
      DOMOVOI_CONTROLLERS: join(directory, "none.json"),
    };
    const { code, stdout, stderr } = await runDomovoi(["channel", ...args, ...where], { env });
    return { code, stdout, stderr };
  };
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    expect(await channel("add", "hook")).toMatchObject({ code: 2, stderr: expect.stringContaining("exactly one of") });
    expect(await channel("add", "mail", "--smtp", "smtp://localhost")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--smtp needs --to"),
    });
    expect(await channel("add", "hook", "--webhook", url, "--recipient", "2")).toEqual({
      code: 0,
      stdout: "Added hook. Try it: domovoi channel test hook\n",
      stderr: "",
    });
    expect(JSON.parse((await channel("list", "--json")).stdout)).toEqual([
      expect.objectContaining({ name: "hook", type: "webhook", state: "ready" }),
    ]);
    expect(await channel("test", "hook", "--text", "Dinner")).toMatchObject({
      code: 0,
      stdout: "Delivered by hook.\n",
    });
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ text: "Dinner" });
    expect(await channel("test", "nobody")).toMatchObject({ stderr: expect.stringContaining("domovoi channel list") });
    expect(await channel("remove", "hook")).toMatchObject({ code: 0, stdout: "Removed hook.\n" });
  } finally {
    await service.process.kill();
    receiver.close();
    rmSync(directory, { recursive: true, force: true });
  }
}, 120_000);
