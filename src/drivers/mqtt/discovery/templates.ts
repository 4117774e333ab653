/** Templates by their text: equal ones are compiled once, and computed once for each message. */

import { RecentlyUsed } from "../../../util/recently-used.ts";
import { readTemplate, type Scope, type Template } from "./template.ts";

const COMPILED_MAX = 2000;

export class Templates {
  readonly #compiled = new RecentlyUsed<Template>(COMPILED_MAX);
  readonly #computed = new WeakMap<Scope, Map<string, string | undefined>>();

  /** @throws TemplateError with what it holds that is not read */
  read(text: string): Template {
    const template = this.#compiled.get(text) ?? readTemplate(text);
    this.#compiled.set(text, template);
    return (scope) => {
      const computed = this.#computed.get(scope) ?? new Map<string, string | undefined>();
      this.#computed.set(scope, computed);
      if (!computed.has(text)) computed.set(text, template(scope));
      return computed.get(text);
    };
  }
}
