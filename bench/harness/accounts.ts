/** Accounts of the service that is measured, over HTTP as an owner makes them. */

import { requestOnce, type Target } from "./https-connection.ts";

const GUEST = { login: "guest@bench.example", password: "bench-guest-password" } as const;

/** @returns an access token. */
export async function logIn(
  target: Target,
  { login, password }: { readonly login: string; readonly password: string },
  forwardedFor?: string,
): Promise<string> {
  const body = JSON.stringify({ username: login, password });
  const answer = await requestOnce(target, { method: "POST", path: "/api/login", body, forwardedFor });
  if (answer.status !== 200) throw new Error(`The login was answered with ${answer.status}.`);
  const { data } = JSON.parse(answer.body.toString()) as { readonly data: { readonly accessToken: string } };
  return data.accessToken;
}

export async function makeGuest(target: Target, authorization: string): Promise<string> {
  const body = JSON.stringify({ kind: "portal", role: "guest", ...GUEST });
  const { status } = await requestOnce(target, { method: "POST", path: "/api/accounts", authorization, body });
  if (status !== 200) throw new Error(`The guest's account was answered with ${status}.`);
  return logIn(target, GUEST);
}
