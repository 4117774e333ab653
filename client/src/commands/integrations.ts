/** Work on integrations, in portal mode. @see docs/interface/integrations.md */

import { begunOperation, readOperation, readSettings } from "../documents/integrations.ts";
import type { IntegrationSetting, Integrations } from "../model/integrations.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";
import { secretsIn } from "./secrets.ts";

export function createIntegrations(session: Session): Integrations {
  const request = portalRequest(session, "Work on integrations");
  const names = new SettingNames();
  return {
    list: () => request("GET /api/integrations", {}),
    async types() {
      const types = await request("GET /api/integrations/types", {});
      return types.map(({ settings, ...type }) => ({ ...type, settings: names.learn(readSettings(settings)) }));
    },
    found: () => request("GET /api/integrations/found", {}, { query: { wait: 3 } }),
    get: (id) => request("GET /api/integrations/:id", { id }),
    add: (body) => request("POST /api/integrations", {}, { body, secrets: names.secretsIn(body.settings) }),
    change: (id, body) =>
      request("PATCH /api/integrations/:id", { id }, { body, secrets: names.secretsIn(body.settings) }),
    start: (id) => request("POST /api/integrations/:id/start", { id }),
    stop: (id) => request("POST /api/integrations/:id/stop", { id }),
    restart: (id) => request("POST /api/integrations/:id/restart", { id }),
    async operationKinds(id) {
      const kinds = await request("GET /api/integrations/:id/operations", { id });
      return kinds.map(({ input, ...kind }) => ({ ...kind, input: names.learn(readSettings(input)) }));
    },
    operation: async (id) => readOperation(await request("GET /api/integrations/:id/operation", { id })),
    begin: async (id, kind, input = {}) =>
      begunOperation(
        await request(
          "POST /api/integrations/:id/operation",
          { id },
          { body: { kind, input }, secrets: names.secretsIn(input) },
        ),
      ),
    answer: async (id, body) =>
      begunOperation(
        await request("POST /api/integrations/:id/operation/answer", { id }, { body, secrets: names.secretsIn(body) }),
      ),
    cancel: async (id) => begunOperation(await request("DELETE /api/integrations/:id/operation", { id })),
    testChannel: async (id, body = {}) => void (await request("POST /api/channels/:id/test", { id }, { body })),
    remove: async (id, nodes) => void (await request("DELETE /api/integrations/:id", { id }, { query: { nodes } })),
  };
}

/** Which settings are secret, as the controller described them. One that it did not describe counts as secret. */
class SettingNames {
  readonly #open = new Set<string>();
  readonly #secret = new Set<string>();

  learn(settings: readonly IntegrationSetting[]): readonly IntegrationSetting[] {
    for (const { name, isSecret } of settings) (isSecret ? this.#secret : this.#open).add(name);
    return settings;
  }

  secretsIn(values: object = {}): readonly string[] {
    const isOpen = (name: string) => this.#open.has(name) && !this.#secret.has(name);
    return secretsIn(Object.fromEntries(Object.entries(values).filter(([name]) => !isOpen(name))));
  }
}
