/** A bridge with simulated bulbs on a TCP port. `node examples/driver/bulb-bridge.ts [port]` runs one; its input presses buttons. */

import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

type Bulb = { level: number; temperature: number; isDeaf: boolean; readonly follows: Set<string> };

export class BulbBridge {
  readonly bulbs: ReadonlyMap<string, Bulb>;
  readonly sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  constructor(names: readonly string[]) {
    this.bulbs = new Map(
      names.map((name) => [name, { level: 0, temperature: 21.5, isDeaf: false, follows: new Set<string>() }]),
    );
  }

  /** @returns the port */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  /** What a person does at the button of a bulb. */
  press(name: string, word: "ON" | "OFF"): void {
    this.#announce(`${name} PRESSED ${word}`);
    for (const [other, bulb] of this.bulbs) {
      if (other !== name && !bulb.follows.has(name)) continue;
      bulb.level = word === "ON" ? 100 : 0;
      this.#announce(this.#stateOf(other, bulb));
    }
  }

  #announce(text: string): void {
    for (const socket of this.sockets) socket.write(`0 ${text}\n`);
  }

  #stateOf(name: string, { level, temperature }: Bulb): string {
    return `${name} STATE ${level} TEMP ${temperature.toFixed(1)}`;
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(socket));
    createInterface(socket).on("line", (line) => {
      const [number, ...words] = line.split(" ");
      const answer = this.#answer(words);
      if (answer !== null) socket.write(`${number} ${answer}\n`);
    });
  }

  #answer([name = "", word = "", argument = ""]: readonly string[]): string | null {
    if (name === "BULBS?") return `BULBS ${[...this.bulbs.keys()].join(" ")}`;
    const bulb = this.bulbs.get(name);
    if (!bulb) return "ERROR";
    if (bulb.isDeaf) return null;
    if (word === "ON") bulb.level = Number(argument);
    else if (word === "OFF") bulb.level = 0;
    else if (word === "FOLLOW") bulb.follows.add(argument);
    else if (word === "UNFOLLOW") bulb.follows.delete(argument);
    else if (word !== "STATE?") return "ERROR";
    return this.#stateOf(name, bulb);
  }
}

if (import.meta.main) {
  const bridge = new BulbBridge(["kitchen", "hall"]);
  console.log(
    `Bulbs kitchen and hall on port ${await bridge.listen(Number(process.argv[2] ?? 7777))}. Type: kitchen ON`,
  );
  createInterface(process.stdin).on("line", (line) => {
    const [name = "", word] = line.split(" ");
    bridge.press(name, word === "ON" ? "ON" : "OFF");
  });
}
