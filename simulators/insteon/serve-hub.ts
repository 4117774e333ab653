/** A simulated Hub: a simulated modem behind requests, whose messages are read from a ring of characters. */

import { createServer } from "node:http";
import type { SimulatedModem } from "./simulated-modem.ts";

type HubServer = { readonly url: string; close(): Promise<void> };

const RING_CHARACTERS = 200;

export async function serveHub(modem: SimulatedModem, user: string, password: string): Promise<HubServer> {
  let ring = "0".repeat(RING_CHARACTERS);
  let place = 0;
  const add = (text: string) => {
    for (const character of text) {
      ring = ring.slice(0, place) + character + ring.slice(place + 1);
      place = (place + 1) % RING_CHARACTERS;
    }
  };
  const line = modem.open({ hear: (bytes) => add(Buffer.from(bytes).toString("hex").toUpperCase()), cut: () => {} });
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const server = createServer((request, response) => {
    const command = /^\/3\?([0-9A-F]+)=I=3$/.exec(request.url ?? "")?.[1];
    if (request.headers.authorization !== expected) response.writeHead(401).end();
    else if (request.method === "POST" && command) {
      ring = "0".repeat(RING_CHARACTERS);
      place = 0;
      line.write(Buffer.from(command, "hex"));
      response.end();
    } else if (request.url === "/buffstatus.xml") {
      const content = ring + place.toString(16).toUpperCase().padStart(2, "0");
      response.end(`<response><BS>${content}</BS></response>`);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The simulated Hub has no port.");
  return {
    url: `hub://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
