/** Mutants that change nothing that anybody could notice, each with the reason. Samples leave them out. */

type Equivalent = {
  readonly file: string;
  /** The changed line, as it becomes. */
  readonly line: string;
  readonly why: string;
};

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: "src/auth/create-auth.ts",
    line: 'if (space < 1) return { scheme: header.toLowerCase(), value: "" };',
    why: "The header is trimmed, so it does not begin with a space.",
  },
  {
    file: "src/auth/create-auth.ts",
    line: 'if (space <= 0) return { scheme: header.toLowerCase(), value: "" };',
    why: "The header is trimmed, so it does not begin with a space.",
  },
  {
    file: "src/auth/tokens.ts",
    line: "bad.set(key, false);",
    why: "A token that was refused is checked again, and refused again.",
  },
  {
    file: "src/commands/device-links.ts",
    line: "return drivers.list().find(({ driver }) => driver.name === name)?.driver;",
    why: "Callers treat undefined like null.",
  },
  {
    file: "src/commands/device-parameters.ts",
    line: 'return true ? { ...outcome, detail: "" } : outcome;',
    why: "The other outcomes have no detail that anything reads.",
  },
  {
    file: "src/commands/group-command.ts",
    line: 'const own = link.parameters.find(({ id }) => id === "OL");',
    why: "Callers treat undefined like null.",
  },
  {
    file: "src/commands/group-command.ts",
    line: 'const ramp = link.parameters.find(({ id }) => id === "RR");',
    why: "Callers treat undefined like null.",
  },
  {
    file: "src/commands/move-in.ts",
    line: '.map(({ node: { address } }) => changed(ports, "node", address, devices.get(address)));',
    why: "A node is offered only by an integration that has its device.",
  },
  {
    file: "src/commands/scene-controllers.ts",
    line: "if (true) {",
    why: "The table of scenes is made again although nothing changed.",
  },
  {
    file: "src/commands/where-used.ts",
    line: "if (false) return [];",
    why: "Nothing lies in a variable or a resource.",
  },
  {
    file: "src/store/backup/restore-database.ts",
    line: 'if (this.#rows * ROWS_A_COMMIT === 0) this.db.exec("COMMIT; BEGIN");',
    why: "The restored home is the same; its one transaction needs more memory and disk.",
  },
  {
    file: "src/store/backup/backup-files.ts",
    line: "rmSync(join(this.#directory, UNFINISHED), { force: false });",
    why: "A file that is not there fails then, and every failure is ignored.",
  },
  {
    file: "src/store/journal-worker.ts",
    line: "let isLogDoubtful = true;",
    why: "The log is emptied once before the first commit, which loses nothing.",
  },
  {
    file: "src/store/samples/read-samples.ts",
    line: "let at = -0;",
    why: "It is set before it is first read.",
  },
  {
    file: "src/store/samples/read-samples.ts",
    line: "let at = 1;",
    why: "It is set before it is first read.",
  },
  {
    file: "src/store/samples/history-worker.ts",
    line: "db ??= new DatabaseSync(path, { readOnly: false, timeout: BUSY_TIMEOUT_MS });",
    why: "The thread only selects.",
  },
  {
    file: "src/store/database/commit-note.ts",
    line: "if (true) create(this.#path, textOf(note));",
    why: "The file has the same content; each commit takes longer.",
  },
  {
    file: "src/wire/spelling/documents.ts",
    line: "return Object.fromEntries(members.map(([name, value]) => [name, programIdInStyle(name, value, 1) ?? value]));",
    why: "Only that it is a number counts.",
  },
  {
    file: "src/store/samples/project-journal.ts",
    line: "const SLICE_MS = 20;",
    why: "The length of a slice; what is written is the same.",
  },
  {
    file: "src/programs/engine/run-group.ts",
    line: "const dueMs = before?.nextTurnAtMs;",
    why: "Less undefined is no number, so the first turn is due now all the same.",
  },
  {
    file: "src/programs/engine/statements.ts",
    line: 'if (program?.kind !== "program") return true;',
    why: "The next run of a folder, or of a missing program, is calculated again, with the same result.",
  },
  {
    file: "src/programs/schedule/calendar.ts",
    line: "if (false) map.clear();",
    why: "The days are the same; the calendar stores more of them.",
  },
  {
    file: "src/programs/schedule/moments.ts",
    line: "return 1;",
    why: "The search for windows begins a day earlier than it needs to.",
  },
  {
    file: "src/programs/schedule/moments.ts",
    line: "return Math.floor(spanMs(when.lasting) / DAY_MS);",
    why: "STRAY_DAYS has the day that is missing.",
  },
  {
    file: "src/stream/hub.ts",
    line: "const events = this.#everything.clients >= 0 ? this.#everything.eventsOf(entry, shared, bodiesOf) : [];",
    why: "Without clients the ring has no reader, and the next client begins at its end.",
  },
  {
    file: "src/stream/events/outcome.ts",
    line: "const control = false ? undefined : familyOf(family).radio?.eventControl;",
    why: "A family that is not known has no radio.",
  },
  {
    file: "src/stream/events/program.ts",
    line: "return Math.max(lastRunAtMs, lastFinishAtMs);",
    why: "null counts as 0.",
  },
];
