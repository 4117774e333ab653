/** A push service for tests: takes messages over TLS, and opens them with the keys of its browsers as RFC 8291 says. */

import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: number;
  readonly message: unknown;
};

/** The browser of a person: what it gives to a controller, and what opens messages. */
class PushBrowser {
  readonly #keys = createECDH("prime256v1");
  readonly #secret = randomBytes(16);

  constructor() {
    this.#keys.generateKeys();
  }

  subscription(endpoint: string) {
    return { endpoint, p256dh: this.#keys.getPublicKey("base64url"), auth: this.#secret.toString("base64url") };
  }

  open(body: Buffer): unknown {
    const salt = body.subarray(0, 16);
    const keyLength = body.readUInt8(20);
    const sender = body.subarray(21, 21 + keyLength);
    const shared = this.#keys.computeSecret(sender);
    const context = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), sender]);
    const input = Buffer.from(hkdfSync("sha256", shared, this.#secret, context, 32));
    const derive = (name: string, bytes: number) =>
      Buffer.from(hkdfSync("sha256", input, salt, `Content-Encoding: ${name}\0`, bytes));
    const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(21 + keyLength, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

export class PushService implements AsyncDisposable {
  readonly browser = new PushBrowser();
  readonly received: Received[] = [];
  /** Statuses of the next answers; then 201. */
  answers: number[] = [];
  readonly #server: Server;

  constructor(key: string, cert: string) {
    this.#server = createServer({ key, cert }, async (request, response) => {
      const body = await buffer(request);
      const { url: path = "", headers } = request;
      this.received.push({ path, headers, bytes: body.length, message: this.browser.open(body) });
      response.writeHead(this.answers.shift() ?? 201).end();
    });
  }

  /** @param key and cert, PEM, for localhost */
  static async start(key: string, cert: string): Promise<PushService> {
    const service = new PushService(key, cert);
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  subscription(path: string) {
    return this.browser.subscription(`https://localhost:${this.port}${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
