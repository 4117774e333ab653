/** Integrations as the controller reports them: what connects the home with devices and services. */

import type { Routes } from "./routes.ts";

export type { Integration, SavedIntegration } from "./routes.ts";

export type IntegrationType = WithSettings<Routes["GET /api/integrations/types"]["data"][number], "settings">;

/** A member that is a JSON Schema in the interface, as a list of settings. */
type WithSettings<T, Name extends keyof T> = Omit<T, Name> & { readonly [Key in Name]: readonly IntegrationSetting[] };

/** One setting of a type. `schema` is its JSON Schema, for forms. */
export type IntegrationSetting = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** It can be written and never read. */
  readonly isSecret: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
};

/** Operations that an integration can start, such as pairing a device. */
export type IntegrationOperationKind = WithSettings<
  Routes["GET /api/integrations/:id/operations"]["data"][number],
  "input"
>;

type Operation = NonNullable<Routes["GET /api/integrations/:id/operation"]["data"]>;

/** Stages: starting, waiting, found, asking, securing, interviewing, working; done, failed, cancelled end it. */
export type IntegrationOperation = Omit<Operation, "question"> & { readonly question: IntegrationQuestion | null };

/** A step of an operation, as an event: without the schema of the answer. Texts for all values of `result`. */
export type OperationStep = Omit<Operation, "question" | "startedTime" | "lastTime"> & {
  readonly question: Pick<IntegrationQuestion, "kind" | "data"> | null;
};

/** Nothing follows any more. */
export function isOver({ stage }: Pick<OperationStep, "stage">): boolean {
  return stage === "done" || stage === "failed" || stage === "cancelled";
}

/** `refuse` answers every question. */
export type IntegrationQuestion = WithSettings<NonNullable<Operation["question"]>, "answer">;

/** Values by name; null takes a setting back. */
export type IntegrationSettings = Readonly<Record<string, unknown>>;

export type NewIntegration = Routes["POST /api/integrations"]["body"];

export type IntegrationChange = Routes["PATCH /api/integrations/:id"]["body"];
