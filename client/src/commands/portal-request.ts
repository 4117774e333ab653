/** Requests of the JSON interface, in portal mode. Bodies and answers have the types of the controller's own schemas. */

import { readEnvelope } from "../documents/json.ts";
import type { Routes } from "../model/routes.ts";
import type { Sending, Session } from "../transport/session.ts";
import { requirePortal } from "./acknowledge.ts";
import { segment } from "./paths.ts";

type Parameter<Path> = Path extends `${infer Start}/*` ? Parameter<Start> | "*" : Named<Path>;
type Named<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Named<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type Detail = Pick<Sending, "file" | "secrets"> & { readonly query?: Query };
type BodyOf<Shape> = Shape extends { readonly body: infer B } ? { readonly body?: B } : unknown;

export type PortalRequest = <K extends keyof Routes>(
  route: K,
  parameters: Readonly<Record<Parameter<K>, string | number>>,
  detail?: Detail & BodyOf<Routes[K]>,
) => Promise<Routes[K]["data"]>;

/** @param work for the error in local mode, such as "Work on accounts" */
export function portalRequest(session: Session, work: string): PortalRequest {
  const request = async (
    route: string,
    parameters: Readonly<Record<string, string | number>>,
    { query, ...sending }: Sending & { readonly query?: Query } = {},
  ): Promise<unknown> => {
    requirePortal(session, work);
    const [method = "", pattern = ""] = route.split(" ");
    const filled = pattern.replace(/:(\w+)/g, (_, name: string) => segment(parameters[name] ?? ""));
    const rest = String(parameters["*"] ?? "").split("/");
    const path = filled.replace(/\*$/, rest.map(segment).join("/")) + queryText(query);
    const text = await session.send(method, path, sending);
    return text.trim() === "" ? null : readEnvelope(text, path);
  };
  // The types are generated from the schemas that the controller answers by.
  return request as PortalRequest;
}

export function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `?${given.map(([name, value]) => `${name}=${segment(String(value))}`).join("&")}`;
}
