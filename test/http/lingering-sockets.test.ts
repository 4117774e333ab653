import { Socket } from "node:net";
import { expect, test } from "vitest";
import { LingeringSockets } from "../../src/http/request/lingering-sockets.ts";

test("above the limit of lingering sockets the oldest are destroyed", () => {
  const lingering = new LingeringSockets(2);
  const sockets = Array.from({ length: 4 }, () => new Socket());
  for (const socket of sockets) lingering.add(socket);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
});

test("one that its client has closed makes room", async () => {
  const lingering = new LingeringSockets(2);
  const [closed, ...others] = Array.from({ length: 3 }, () => new Socket());
  if (!closed) throw new Error("There are three.");
  lingering.add(closed);
  await new Promise((resolve) => closed.once("close", resolve).destroy());
  for (const socket of others) lingering.add(socket);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});
