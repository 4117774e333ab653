/** The modules that are mutated, and the tests that are to notice. A test file is named where it is slow or belongs to another module. */

export type MutatedModule = {
  readonly name: string;
  /** Files, or folders with everything in them. */
  readonly sources: readonly string[];
  /** Run for every mutant. */
  readonly near: readonly string[];
  /** Run for a mutant that the near ones do not notice. */
  readonly far: readonly string[];
};

export const MODULES = [
  {
    name: "auth",
    sources: ["src/auth"],
    near: ["test/auth"],
    far: [
      "test/flows/login",
      "test/flows/accounts.test.ts",
      "test/flows/guests.test.ts",
      "test/flows/page-layer.test.ts",
      "test/flows/push.test.ts",
      "test/flows/roles.test.ts",
    ],
  },
  {
    name: "store",
    sources: ["src/store"],
    near: [
      "test/store/accounts.test.ts",
      "test/store/backup/backup-files.test.ts",
      "test/store/backup/contents.test.ts",
      "test/store/backup/format.test.ts",
      "test/store/backup/stored-backups.test.ts",
      "test/store/directory.test.ts",
      "test/store/disk.test.ts",
      "test/store/past-home.test.ts",
      "test/store/journal.test.ts",
      "test/store/load-state.test.ts",
      "test/store/migrate.test.ts",
      "test/store/near-changes.test.ts",
      "test/store/recording.test.ts",
      "test/store/recording-span.test.ts",
      "test/store/result-codes.test.ts",
      "test/store/round-trip.test.ts",
      "test/store/secrets.test.ts",
      "test/store/snapshots.test.ts",
      "test/store/start.test.ts",
      "test/store/synced-names.test.ts",
      "test/store/trace.test.ts",
      "test/store/write-batch.test.ts",
      "test/store/writer-outage.test.ts",
      "test/store/writer.test.ts",
    ],
    far: ["test/store", "test/flows/backup.test.ts", "test/flows/programs-outage.test.ts", "test/cli/report.test.ts"],
  },
  {
    name: "engine",
    sources: ["src/programs/engine", "src/programs/engine.ts", "src/programs/schedule", "src/programs/evaluate.ts"],
    near: ["test/programs"],
    far: ["test/flows/programs-run.test.ts", "test/flows/programs-cut.test.ts", "test/flows/clock-jumps.test.ts"],
  },
  {
    name: "codecs",
    sources: [
      "src/wire",
      "src/profile",
      "src/programs/text",
      "src/http/target.ts",
      "src/http/query.ts",
      "src/http/json-body.ts",
      "src/http/browser-rules.ts",
      "src/http/api/trigger-parse.ts",
      "src/util/read-xml.ts",
      "src/util/xml.ts",
    ],
    near: ["test/profile", "test/wire", "test/http", "test/programs/t", "test/programs/rules.test.ts"],
    far: ["test/twin", "test/flows/rest", "test/flows/api", "test/flows/programs-text.test.ts"],
  },
  {
    name: "commands",
    sources: ["src/commands"],
    near: ["test/commands"],
    far: [
      "test/flows/rest-commands.test.ts",
      "test/flows/programs-write.test.ts",
      "test/flows/api-writes.test.ts",
      "test/flows/radio-care.test.ts",
      "test/flows/edit-",
      "test/flows/undo.test.ts",
      "test/flows/act.test.ts",
      "test/flows/scene-controllers.test.ts",
    ],
  },
  {
    name: "stream",
    sources: ["src/stream"],
    near: ["test/stream"],
    far: [
      "test/flows/stream",
      "test/flows/accounts.test.ts",
      "test/flows/guests.test.ts",
      "test/flows/limited-accounts.test.ts",
    ],
  },
  {
    name: "http",
    sources: ["src/http"],
    near: ["test/http"],
    far: [
      "test/flows/api",
      "test/flows/rest",
      "test/flows/login",
      "test/flows/hostile",
      "test/flows/edit-",
      "test/flows/accounts.test.ts",
      "test/flows/guests.test.ts",
      "test/flows/history",
      "test/flows/limited-accounts.test.ts",
      "test/flows/listeners.test.ts",
      "test/flows/programs-verify.test.ts",
      "test/flows/programs-write.test.ts",
      "test/flows/roles.test.ts",
      "test/flows/trace.test.ts",
    ],
  },
  {
    name: "plugins",
    sources: ["src/drivers/plugin"],
    near: ["test/drivers/plugin"],
    far: ["test/flows/plugins.test.ts", "test/http/plugin-authority.test.ts"],
  },
] as const satisfies readonly MutatedModule[];
