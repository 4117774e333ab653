/**
 * The Model Context Protocol: offers the tools to an assistant, over the client library and thus with the rights of the account.
 * The one file that knows the protocol's SDK. Loaded when an assistant first connects.
 */

import { ClientError, type ConnectOptions, connect } from "@domovoi/client";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { schemaViolation } from "../util/json-schema.ts";
import { commandTool } from "./commanding.ts";
import { draftingTools } from "./drafting.ts";
import { lookingTools } from "./looking.ts";
import { proposingTools } from "./proposing.ts";
import { DATA_NOTE, dataText, type Tool, ToolFailure, type ToolInput } from "./tool.ts";

/** Every tool of an assistant. A new tool is a row here and in docs/assistant.md. */
const TOOLS: readonly Tool[] = [...lookingTools, commandTool, ...draftingTools, ...proposingTools];

export type AssistantOptions = {
  /** How to reach the controller, and as which account. */
  readonly access: Omit<ConnectOptions, "assistant" | "stream">;
  /** Time of the controller. */
  readonly now: () => number;
  readonly version: string;
};

const INSTRUCTIONS = `Domovoi runs a home. ${DATA_NOTE} Find things first and use their ids. Ask why and trace instead of guessing. Write a program as text, verify it and replay it before you propose it. Nothing that you propose is done before a person approves it.`;
/** An answer is for a model that pays for every word. */
const ANSWER_CHARS_MAX = 40_000;

const LISTED = TOOLS.map(({ name, about, members, required = [], acts = false }) => ({
  name,
  description: `${about} ${DATA_NOTE}`,
  inputSchema: {
    type: "object" as const,
    properties: { ...members },
    required: [...required],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: !acts, destructiveHint: false, openWorldHint: false },
}));

/** Speaks on standard input and output until the other side closes them. */
export async function serveStdio(options: AssistantOptions): Promise<void> {
  const server = createServer(options);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

/** One message over HTTP. There are no sessions: every message is answered by itself. */
export async function answerMessage(options: AssistantOptions, request: Request, message: unknown): Promise<Response> {
  const server = createServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(request, { parsedBody: message });
    const { status, headers } = response;
    return new Response(status === 202 ? null : await response.text(), { status, headers });
  } finally {
    await server.close();
  }
}

function createServer(options: AssistantOptions): Server {
  const server = new Server(
    { name: "domovoi", version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
    const { isError, text } = await callTool(options, name, input);
    return { isError, content: [{ type: "text" as const, text }] };
  });
  return server;
}

type Answer = { readonly isError: boolean; readonly text: string };

async function callTool(options: AssistantOptions, name: string, input: ToolInput): Promise<Answer> {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool)
    return failed(`There is no tool of this name. The tools are ${TOOLS.map((each) => each.name).join(", ")}.`);
  const { members, required = [] } = tool;
  const violation = schemaViolation(
    { type: "object", properties: members, required, additionalProperties: false },
    input,
  );
  if (violation) return failed(`"${violation.path.join("/") || name}" ${violation.rule}.`);
  try {
    const text = dataText({ note: DATA_NOTE, data: await run(options, tool, input) });
    if (text.length <= ANSWER_CHARS_MAX) return { isError: false, text };
    return failed("The answer is too long. Ask for less: a shorter span, a lower limit, or one thing.");
  } catch (error) {
    if (error instanceof ToolFailure || error instanceof ClientError) return failed(sentenceOf(error));
    throw error;
  }
}

/** With a connection of its own, so that the rights of the account are those of this moment. */
async function run(
  { access, now }: AssistantOptions,
  { name, run: carryOut }: Tool,
  input: ToolInput,
): Promise<object> {
  await using home = await connect({ ...access, stream: "off", assistant: () => name });
  const { timeZone: zone } = await home.edits.place();
  return await carryOut({ home, zone, now }, input);
}

function failed(sentence: string): Answer {
  return { isError: true, text: dataText({ note: DATA_NOTE, error: sentence }) };
}

/** With the places that a text has problems at. */
function sentenceOf(error: ToolFailure | ClientError): string {
  if (error instanceof ToolFailure) return error.message;
  // The message has the first problem.
  const problems = error.problems.slice(1).map(({ line, message }) => `Line ${line}: ${message}`);
  const wait = error.retryAfterS === null ? [] : [`Try again in ${error.retryAfterS} s.`];
  return [error.message, ...problems.slice(0, 10), ...wait].join(" ");
}
