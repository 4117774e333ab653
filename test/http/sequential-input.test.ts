import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { LingeringSockets } from "../../src/http/request/lingering-sockets.ts";
import { SequentialInput } from "../../src/http/request/sequential-input.ts";

const REQUEST = "GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n";

/**
 * Node gives the parser of a closed connection to the next one, so bytes that are parsed late would become a request
 * of another client.
 */
test("a request that waits for its turn ends with its connection, and is none of the next connection", async () => {
  const turns: (() => void)[] = [];
  const seen: string[] = [];
  const queued = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    seen.push(String(request.url));
    response.end();
  });
  const lingering = new LingeringSockets();
  server.on("connection", (socket: Socket) => {
    const awaitTurn = (begin: () => void) => {
      turns.push(begin);
      queued.resolve();
    };
    new SequentialInput(socket, awaitTurn, lingering);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const client = connect(port, "127.0.0.1");
    return { client, socket: (await accepted)[0] };
  };

  const first = await open();
  first.client.write(REQUEST);
  await queued.promise;
  const closed = once(first.socket, "close");
  first.client.resetAndDestroy();
  first.socket.destroy();
  await closed;
  const second = await open();
  for (const begin of turns) begin();
  expect(seen).toEqual([]);
  second.client.destroy();
  server.close();
});
