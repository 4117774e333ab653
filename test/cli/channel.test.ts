/** `domovoi channel` against a running controller and a receiver on loopback. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { CommandLine } from "./command-line.ts";

test("a channel is added, listed, tested and removed; errors say what to do", async () => {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  await using line = await CommandLine.start({ demo: false });
  const channel = (...args: readonly string[]) => line.run(["channel", ...args]);
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
    receiver.close();
  }
}, 120_000);
