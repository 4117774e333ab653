/** The connection to a broker leaves the event loop to others. */

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { connectAsync } from "mqtt";
import { expect, test } from "vitest";
import { openMqtt } from "../../../src/drivers/mqtt-connection.ts";
import { createLog } from "../../../src/util/log.ts";
import { freePort } from "../../support/free-port.ts";
import { MOSQUITTO, startPlainBroker } from "../../support/mqtt-brokers.ts";

const BURST = 900;

// A broker in this process would wait for this process.
test.runIf(MOSQUITTO)("a burst that waits in the socket is read in parts, with other work between them", async () => {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  const broker = await startPlainBroker(port);
  let received = 0;
  const own = { user: "", password: "", key: "", cert: "", ca: "", messageBytesMax: 1000 };
  const connection = await openMqtt(
    { url, clientId: "reader", ...own },
    {
      log: createLog("error", { write: () => {} }),
      received() {
        received += 1;
      },
      connected() {},
      disconnected() {},
    },
  );
  await connection.subscribe(["burst"]);
  const sender = await connectAsync(url);
  for (let sent = 0; sent < BURST; sent += 1) sender.publish("burst", `{"state":"ON","power":${sent}}`);
  await sender.endAsync();
  // Everything arrives meanwhile.
  for (const endMs = performance.now() + 500; performance.now() < endMs; );
  const parts: number[] = [];
  for (let before = received; received < BURST; before = received) {
    await new Promise((resolve) => setImmediate(resolve));
    parts.push(received - before);
  }
  expect(Math.max(...parts)).toBeLessThanOrEqual(100);
  expect(parts.filter((part) => part > 0).length).toBeGreaterThan(5);
  await connection.end();
  await broker.stop();
});

test("a broker that begins a message beyond the limit is cut off before the message arrives", async () => {
  const chunk = Buffer.alloc(65_536, "x");
  let sentBytes = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(Buffer.from([0x20, 0x03, 0x00, 0x00, 0x00]));
      // A message of 256 MB.
      socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
      const send = () => {
        if (socket.destroyed) return;
        sentBytes += chunk.length;
        if (socket.write(chunk)) setImmediate(send);
        else socket.once("drain", send);
      };
      send();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const lines: string[] = [];
  const lost = Promise.withResolvers<void>();
  const own = { user: "", password: "", key: "", cert: "", ca: "", messageBytesMax: 1000 };
  const connection = await openMqtt(
    { url: `mqtt://127.0.0.1:${port}`, clientId: "reader", ...own },
    {
      log: createLog("warn", { write: (line: string) => void lines.push(line) }),
      received() {},
      connected() {},
      disconnected: () => lost.resolve(),
    },
  );
  await lost.promise;
  await connection.end();
  server.close();
  expect(lines.join()).toContain("too long");
  expect(sentBytes).toBeLessThan(16_777_216);
});
