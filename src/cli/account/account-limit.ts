/** `domovoi account limit`: what of the home an account reaches. */

import type { ConnectionOptions } from "../connection/connection-options.ts";
import { modeOf } from "../connection/find-access.ts";
import { withHome } from "../connection/with-home.ts";
import { say } from "../edit/said.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";
import { type LimitOptions, limitsOf } from "./limit-options.ts";

type LimitAccountOptions = ConnectionOptions & LimitOptions & { readonly none?: boolean };

type Account = { readonly id: string; readonly kind: string; readonly login: string };

/** The limits replace those that were before. */
export function limitAccount(login: string, options: LimitAccountOptions): Promise<void> {
  return withHome(options, { stream: "off" }, async (home) => {
    const limits = options.none ? null : limitsOf(home, options);
    if (options.none && namesSomething(options))
      throw usageFailure("--none removes all limits, so it cannot be combined with other options.");
    // `request` returns accounts in the documented shape of this version.
    const accounts = (await home.request("GET", "/api/accounts")).data as readonly Account[];
    const found = accounts.find(
      (each) => each.login.toLowerCase() === login.toLowerCase() && each.kind === modeOf(login),
    );
    if (!found)
      throw new CommandFailure("notFound", `There is no account "${login}". "domovoi account list" shows them.`);
    const { data } = await home.request("POST", `/api/accounts/${found.id}`, { limits });
    const sentence = limits
      ? `"${found.login}" reaches this part of the home only.`
      : `"${found.login}" has no limits.`;
    say(options, sentence, data as object);
  });
}

function namesSomething({ folder, node, scene, program, variable, resource, command }: LimitOptions): boolean {
  return [folder, node, scene, program, variable, resource, command].some((given) => given !== undefined);
}
