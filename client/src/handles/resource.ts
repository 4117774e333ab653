/** Handles on network resources. @see docs/interface/networking.md */

import type { Resource } from "../api.ts";
import { order } from "../commands/acknowledge.ts";
import { segment } from "../commands/paths.ts";
import { type Keeper, present } from "./keeper.ts";

export class ResourceHandle implements Resource {
  readonly id: string;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, id: string) {
    this.id = id;
    this.#keeper = keeper;
  }

  get name(): string {
    return present(this.#keeper.state().resources.get(this.id), "network resource", this.id).name;
  }

  fire(): Promise<void> {
    return order(this.#keeper.session, `/rest/networking/resources/${segment(this.id)}`);
  }

  toJSON(): object {
    return { id: this.id, name: this.name };
  }
}
