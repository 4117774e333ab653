/** One connection to PostgreSQL: made when it is needed, one statement at a time, cut when an answer does not come in time. */

import { Socket } from "node:net";
import type { Client } from "pg";

export type Row = Readonly<Record<string, unknown>>;
/** `answerMs`: longest time to the answer. Default: the connection's. */
export type Statements = {
  run(text: string, values?: readonly unknown[], answerMs?: number): Promise<readonly Row[]>;
};

/** The server ended the wait for its replicas: the commit is on its own disk and perhaps nowhere else. */
const NOT_REPLICATED = "01000";
const INT8 = 20;

type ConnectionPorts = {
  /** With password, when it has one: never logged. */
  readonly url: string;
  /** What the server lists the connection as. */
  readonly name: string;
  /** Longest time to an answer, also of connecting. */
  readonly answerMs: number;
};

type Opened = { readonly client: Client; readonly socket: Socket };

export class Connection implements Statements {
  readonly #ports: ConnectionPorts;
  #open: Promise<Opened> | null = null;
  #isUnreplicated = false;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  /** @throws Error; after one that is not the server's own answer the next call connects again. */
  async run(text: string, values?: readonly unknown[], answerMs = this.#ports.answerMs): Promise<readonly Row[]> {
    const open = this.#connected();
    const { client } = await open;
    this.#isUnreplicated = false;
    try {
      const query = { text, query_timeout: answerMs, ...(values && { values: [...values] }) };
      const result = await client.query(query);
      if (this.#isUnreplicated) throw new Error("The server could not hand the commit to its replicas.");
      return Array.isArray(result) ? [] : result.rows;
    } catch (error) {
      if (!isAnswer(error)) this.#forget(open);
      throw error;
    }
  }

  /** Ends the connection without a word. The server notices when it looks. */
  cut(): void {
    if (this.#open) this.#forget(this.#open);
  }

  #connected(): Promise<Opened> {
    if (this.#open) return this.#open;
    const open = this.#connect();
    this.#open = open;
    open.then(
      ({ client }) => client.on("error", () => this.#forget(open)),
      () => this.#forget(open),
    );
    return open;
  }

  /** Of two connections that follow each other, the end of the first leaves the second alone. */
  #forget(open: Promise<Opened>): void {
    if (this.#open === open) this.#open = null;
    open.then(({ socket }) => socket.destroy()).catch(() => {});
  }

  async #connect() {
    const { url, name, answerMs } = this.#ports;
    const { Client, types } = (await import("pg")).default;
    const socket = new Socket();
    const client = new Client({
      connectionString: url,
      application_name: name,
      stream: () => socket,
      connectionTimeoutMillis: answerMs,
      idle_in_transaction_session_timeout: 1000,
      keepAlive: true,
      types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format as "text")) },
    });
    // Heard by `#connected` once it is there; until then `connect` rejects.
    client.on("error", () => {});
    client.on("notice", ({ code }) => {
      if (code === NOT_REPLICATED) this.#isUnreplicated = true;
    });
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return { client, socket };
  }
}

/** The server refused the statement: it was not carried out. */
function isAnswer(error: unknown): boolean {
  const code = error instanceof Error ? Reflect.get(error, "code") : null;
  // Class 57: the server ends or the connection was ended. Class 08: connection.
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^(57|08)/.test(code);
}
