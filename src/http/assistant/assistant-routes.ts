/** `/mcp`: the Model Context Protocol for assistants, with the token of an account. @see docs/assistant.md */

import { ControllerError } from "../../errors.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { Services } from "../services.ts";

export const assistantRoutes: readonly Route[] = [
  {
    ...({ method: "POST", path: "/mcp", listener: "portal", access: "read", limited: "view" } as const),
    ...({ changes: true, isRelay: true, holdsProgram: true, page: "assistant" } as const),
    body: { type: "object", description: "A message of JSON-RPC." },
    fileType: "application/json",
    summary: "A message of the Model Context Protocol.",
    handle: answer,
  },
];

/**
 * The tools send their requests to this very listener with the token of this request. Its certificate is not checked: the address
 * is that of the socket on which the request came, so nothing else can answer there.
 */
async function answer(request: HttpRequest, { clock, productVersion }: Services): Promise<Reply> {
  const [, token] = /^Bearer (\S+)$/i.exec(String(request.headers.authorization)) ?? [];
  if (token === undefined) throw new ControllerError("BAD_REQUEST", "This path needs a token of the portal.");
  const { answerMessage } = await import("../../assistant/server.ts");
  const access = { url: request.ownUrl, token, insecure: true, keepLogin: true };
  const options = { access, now: () => clock.now(), version: productVersion };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    PASSED.has(name) && typeof value === "string" ? [[name, value] as const] : [],
  );
  const asked = new Request(`${request.ownUrl}/mcp`, { method: "POST", headers: Object.fromEntries(headers) });
  const response = await answerMessage(options, asked, request.body);
  const contentType = response.headers.get("content-type") ?? "application/json";
  return { status: response.status, contentType, body: await response.text() };
}

/** What the protocol reads. */
const PASSED: ReadonlySet<string> = new Set(["accept", "content-type", "mcp-protocol-version"]);
