/** Commands from another system, sent with the rights of an account of the bridge's own, some in each second. */

import { authorize } from "../auth/policy.ts";
import type { Principal } from "../auth/principal.ts";
import type { CommandPorts } from "../commands/ports.ts";
import { needsFor } from "../commands/secured-command.ts";
import { sendCommand } from "../commands/send-command.ts";
import type { ServiceHost } from "../drivers/service.ts";
import { ControllerError } from "../errors.ts";
import type { GivenCommand } from "../profile/command-resolver.ts";
import { randomId } from "../util/randomness.ts";
import type { Access } from "./shown-nodes.ts";

export class BridgeCommands {
  readonly #ports: CommandPorts;
  readonly #host: ServiceHost;
  readonly #name: string;
  readonly #access: Access;
  readonly #perSecondMax: number;
  #count = 0;
  #sinceMs = 0;
  #isFlooded = false;

  constructor(
    ports: CommandPorts,
    host: ServiceHost,
    { name, access, perSecondMax }: { readonly name: string; readonly access: Access; readonly perSecondMax: number },
  ) {
    this.#ports = ports;
    this.#host = host;
    this.#name = name;
    this.#access = access;
    this.#perSecondMax = perSecondMax;
  }

  /** Whether another command fits into the limit of this second. */
  admits(): boolean {
    const nowMs = this.#host.clock.elapsed();
    if (nowMs - this.#sinceMs >= 1000) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= this.#perSecondMax) return true;
    if (!this.#isFlooded) {
      this.#host.log.warn("More commands come over a bridge than are taken.", { perSecondMax: this.#perSecondMax });
    }
    this.#isFlooded = true;
    return false;
  }

  /** One after the other. @throws ControllerError when one is not allowed, or fails */
  async send(address: string, commands: readonly GivenCommand[], signal: AbortSignal): Promise<void> {
    const role = this.#access;
    if (role === "none") throw new ControllerError("FORBIDDEN");
    const principal: Principal = {
      ...{ accountId: `service ${this.#name}`, login: this.#name, role, sessionId: null, view: null },
    };
    const cause = { kind: "request", id: randomId(this.#host.randomness), by: this.#name } as const;
    for (const { command, parameters } of commands) {
      const thing = { kind: "node", address, command } as const;
      for (const need of ["command-node" as const, ...needsFor(this.#ports, address, command)]) {
        authorize(principal, need, thing);
      }
      await sendCommand(this.#ports, { address, command, parameters }, cause, signal);
    }
  }
}
