/** Integrations as the controller reports them: what connects the home with devices and services. */

import type { Integration, Routes, SavedIntegration } from "./routes.ts";

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

/** One thing can be listed for several types. Settings lack secrets. */
export type FoundIntegration = Routes["GET /api/integrations/found"]["data"][number];

/**
 * The connections of the home to devices and services; in portal mode, for owners. Writes resolve before the
 * integration has started.
 */
export type Integrations = {
  list(): Promise<readonly Integration[]>;
  /** The available types, with their settings. */
  types(): Promise<readonly IntegrationType[]>;
  /** What could be added: found in the controller's machine, and in its network within three seconds. */
  found(): Promise<readonly FoundIntegration[]>;
  get(id: string): Promise<Integration>;
  add(wanted: NewIntegration): Promise<SavedIntegration>;
  change(id: string, change: IntegrationChange): Promise<SavedIntegration>;
  /** Now, and with the controller. */
  start(id: string): Promise<Integration>;
  /** Until it is started again; its nodes keep their last values. */
  stop(id: string): Promise<Integration>;
  restart(id: string): Promise<Integration>;
  /** Sends a notification by a channel. Resolves when it is delivered. @param message default: a sentence that it is a test */
  testChannel(id: string, message?: { readonly subject?: string; readonly text?: string }): Promise<void>;
  /** @param nodes what becomes of its nodes; required where it has some */
  remove(id: string, nodes?: "remove" | "keep"): Promise<void>;
  /** The available operations, such as pairing a device. */
  operationKinds(id: string): Promise<readonly IntegrationOperationKind[]>;
  /** The operation under way, else the latest one; null before the first. */
  operation(id: string): Promise<IntegrationOperation | null>;
  /** @param input as the kind describes it */
  begin(id: string, kind: string, input?: IntegrationSettings): Promise<IntegrationOperation>;
  /** Answers the question: its kind, and the members that it describes. */
  answer(id: string, answer: { readonly kind: string } & IntegrationSettings): Promise<IntegrationOperation>;
  cancel(id: string): Promise<IntegrationOperation>;
};
