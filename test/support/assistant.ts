/** An assistant as the protocol's own client, over HTTP to a controller in this process. */

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { HttpsClient } from "./https-client.ts";

type ToolAnswer = {
  readonly isError: boolean;
  readonly note: string;
  readonly data: unknown;
  readonly error: string;
};

export class Assistant implements AsyncDisposable {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** @param headers the credentials */
  static async connect(portal: HttpsClient, headers: Readonly<Record<string, string>>): Promise<Assistant> {
    const client = new Client({ name: "test", version: "1" });
    const url = new URL(`${portal.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: fetchBy(portal, headers) }));
    return new Assistant(client);
  }

  /** @throws Error for an answer without the mark that what it holds is data */
  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { isError, content } = await this.client.callTool({ name, arguments: input });
    const [{ text = "" } = {}] = content as readonly { readonly text?: string }[];
    const { note = "", data = null, error = "" } = JSON.parse(text) as Partial<ToolAnswer>;
    return { isError: isError === true, note, data, error };
  }

  /** The data of an answer that is no refusal. */
  async ask<T>(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const { isError, data, error } = await this.call(name, input);
    if (isError) throw new Error(error);
    return data as T;
  }

  /** The sentence of a refusal. */
  async refusal(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.call(name, input)).error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

/** The certificate of a test is signed by the controller itself, which the global fetch does not trust. */
function fetchBy(portal: HttpsClient, credentials: Readonly<Record<string, string>>) {
  return async (target: string | URL, { method = "GET", headers, body }: RequestInit = {}): Promise<Response> => {
    const sent = { ...Object.fromEntries(new Headers(headers)), ...credentials };
    const { pathname } = new URL(target);
    const answer = await portal.request(method, pathname, {
      headers: sent,
      ...(typeof body === "string" && { body }),
    });
    const type = { "Content-Type": answer.headers["content-type"] ?? "" };
    const isEmpty = answer.status === 202 || answer.status === 204;
    return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: type });
  };
}
