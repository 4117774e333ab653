/**
 * Mutants with a name: each is a bug that was there once, or that a tired person wrote to see whether a test notices. Add
 * one with every bug that is mended; `from` is unique in its file.
 */

import type { ModuleName } from "./modules-table.ts";

export type NamedMutant = {
  readonly module: ModuleName;
  readonly file: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
};

export const NAMED_MUTANTS: readonly NamedMutant[] = [
  {
    module: "http",
    file: "src/http/request/sequential-input.ts",
    what: "a closed connection hands bytes to a parser that belongs to another one",
    from: 'socket.once("close", () => this.#end());',
    to: "",
  },
  {
    module: "http",
    file: "src/http/open-listener.ts",
    what: "clients may renegotiate once there is another certificate",
    from: "  server.setSecureContext(secureContext(pair));\n",
    to: '  server.setSecureContext({ ...pair, minVersion: "TLSv1.2" });\n',
  },
  {
    module: "http",
    file: "src/http/json-body.ts",
    what: "a body may have any number of small values",
    from: "    if (this.#values <= this.#valuesMax) return;\n",
    to: "    if (this.#values >= 0) return;\n",
  },
  {
    module: "http",
    file: "src/http/api/verify/verify.ts",
    what: "a text too large to be saved is verified",
    from: "  checkProgramSize(config, entry.tree);\n",
    to: "",
  },
  {
    module: "engine",
    file: "src/programs/verify/model/formula.ts",
    what: "thousands of alternatives exhaust the stack",
    from: "  budget.steps -= Math.ceil((known.size + choices.length) / COPIES_PER_STEP);\n",
    to: "",
  },
  {
    module: "plugins",
    file: "src/drivers/plugin/own-files.ts",
    what: "a link of a plugin leads to a file outside of its directory",
    from: "opened.startsWith(start) && ",
    to: "",
  },
  {
    module: "plugins",
    file: "src/drivers/plugin/confinement.ts",
    what: "a program of the plugin stands in for a tool of the sandbox",
    from: "      return path;\n",
    to: "      return name;\n",
  },
  {
    module: "plugins",
    file: "src/drivers/plugin/session.ts",
    what: "data of a plugin is confirmed before it is on disk",
    from: "    const failure = await this.#saved();\n",
    to: "    const failure = null;\n",
  },
  {
    module: "plugins",
    file: "src/drivers/plugin/unpack-worker.ts",
    what: "an archive that ends while it is written is never answered",
    from: '  sink.once("finish", extracted.resolve).once("error", (error: Error) => {\n',
    to: '  sink.once("error", (error: Error) => {\n',
  },
  {
    module: "http",
    file: "src/http/plugin-authority.ts",
    what: "plugins cannot connect while the machine's clock is wrong",
    from: "isTimeless: true",
    to: "isTimeless: false",
  },
  {
    module: "plugins",
    file: "src/drivers/plugin/unpack-worker.ts",
    what: "a small archive may hold any number of bytes beside its entries",
    from: "      if (bytes > bytesMax + FILES_MAX * TAR_BYTES_PER_FILE) refusal = tooLong(bytesMax);\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/trace-log.ts",
    what: "a commit waits for all who read the trace",
    from: "        () => true,\n",
    to: "        () => false,\n",
  },
  {
    module: "http",
    file: "src/http/request/decoded-request.ts",
    what: "the parts of a long answer wait for no turn",
    from: "    await this.#turn();\n",
    to: "",
  },
  {
    module: "http",
    file: "src/http/request/request-limits.ts",
    what: "one account may have all places for questions about the past",
    from: "{ ...config, accountRequestsMax: config.accountHistoryQueriesMax }",
    to: "config",
  },
  {
    module: "store",
    file: "src/store/writer.ts",
    what: "writes are refused for seconds after the disk is back",
    from: "const RETRY_MS_MAX = 1000;",
    to: "const RETRY_MS_MAX = 5000;",
  },
  {
    module: "engine",
    file: "src/programs/engine/work.ts",
    what: "starts that programs cause wait without a limit of their own",
    from: "return isCaused && this.#queue.lateSize >= programCausedStartsWaitingMax && this.isWaiting(id);",
    to: "return isCaused && this.#queue.size < 0;",
  },
  {
    module: "engine",
    file: "src/programs/engine/work.ts",
    what: "a program of which no start waits is not started either",
    from: "lateSize >= programCausedStartsWaitingMax && this.isWaiting(id);",
    to: "lateSize >= programCausedStartsWaitingMax;",
  },
  {
    module: "store",
    file: "src/store/writer.ts",
    what: "a stall is named only when it begins with a commit",
    from: "    this.#watchForStall();\n    this.#flushSoon();\n",
    to: "    this.#flushSoon();\n",
  },
  {
    module: "store",
    file: "src/store/database/open-database.ts",
    what: "a commit is not synced",
    from: "synchronous = FULL",
    to: "synchronous = NORMAL",
  },
  {
    module: "store",
    file: "src/store/backlog.ts",
    what: "the journal's number is not set back after an outage",
    from: "    this.#journalSeq = taken.afterSeq;\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/writer.ts",
    what: "work of the thread's own waits for one commit only",
    from: "while (this.#busy) await this.#busy;\n    if (this.#soon && isPatient()) this.#begin();\n    while (this.#busy) await this.#busy;",
    to: "if (this.#busy) await this.#busy;\n    if (this.#soon && isPatient()) this.#begin();\n    if (this.#busy) await this.#busy;",
  },
  {
    module: "store",
    file: "src/store/writer.ts",
    what: "rows that were touched are not waited for",
    from: "    await this.saved();\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/writer.ts",
    what: "whoever waits for the last entry is answered with the next commit",
    from: "this.#waiters.filter(({ seq }) => seq <= this.#durableSeq)",
    to: "this.#waiters.filter(({ seq }) => seq < this.#durableSeq)",
  },
  {
    module: "store",
    file: "src/store/database/snapshot.ts",
    what: "the oldest snapshots are kept",
    from: "    .reverse()\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/database/rebuild.ts",
    what: "an unfinished rebuild takes the place of a good database",
    from: "  if (existsSync(path)) {\n    removeDatabase(fresh);\n    return;\n  }\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/journal-worker.ts",
    what: "commits follow pages of the log that a failed sync may have dropped",
    from: "    if (isLogDoubtful) emptyLog(db);\n",
    to: "",
  },
  {
    module: "store",
    file: "src/store/load-state.ts",
    what: "commits that are missing are not reported",
    from: "  const lost = noted.commits - read.commits;\n",
    to: "  const lost = 0;\n",
  },
  {
    module: "store",
    file: "src/store/load-state.ts",
    what: "a directory that has lost its database gets a new home",
    from: '  if (!isThere && hadHome) throw new DamageError("The database is missing.");\n',
    to: "",
  },
  {
    module: "store",
    file: "src/store/recover.ts",
    what: "the snapshot wins over rows that are sound",
    from: "[...older, ...(saved.single[table] ?? [])]",
    to: "[...(saved.single[table] ?? []), ...older]",
  },
  {
    module: "auth",
    file: "src/auth/sessions.ts",
    what: "a token that is used twice is answered before the session's end is on disk",
    from: "await this.end([id]);\n      throw",
    to: "void this.end([id]);\n      throw",
  },
  {
    module: "auth",
    file: "src/auth/account-book.ts",
    what: "two accounts of one login are made at the same time",
    from: "this.#checkRoom(kind, login);\n    const about",
    to: "const about",
  },
  {
    module: "codecs",
    file: "src/http/browser-rules.ts",
    what: "a page of the same site counts as our own",
    from: 'site === "none";',
    to: 'site === "none" || site === "same-site";',
  },
  {
    module: "commands",
    file: "src/commands/fire-network-resource.ts",
    what: "TCP goes to whatever the name has become",
    from: ", lookup: pinned(target) });\n    let isSent",
    to: " });\n    let isSent",
  },
  {
    module: "commands",
    file: "src/commands/fire-network-resource.ts",
    what: "a resource may take longer than the setting allows",
    from: "Math.min(timeoutMs, config.networkTimeoutMs)",
    to: "timeoutMs",
  },
  {
    module: "stream",
    file: "src/stream/login.ts",
    what: "a stream that was closed during its login is listed",
    from: '#accept(principal: Principal): void {\n    if (this.#state === "over") return;',
    to: "#accept(principal: Principal): void {",
  },
  {
    module: "stream",
    file: "src/stream/connection.ts",
    what: "the last message that is allowed closes the stream",
    from: "this.#messagesThisMinute <= this",
    to: "this.#messagesThisMinute < this",
  },
  {
    module: "stream",
    file: "src/stream/connection.ts",
    what: "a minute of messages is a millisecond longer",
    from: "now - this.#minuteStartMs >= MINUTE_MS",
    to: "now - this.#minuteStartMs > MINUTE_MS",
  },
  {
    module: "stream",
    file: "src/stream/connection.ts",
    what: "a stream stalls a millisecond longer",
    from: "this.#takenAtMs >= this.#limits",
    to: "this.#takenAtMs > this.#limits",
  },
  {
    module: "stream",
    file: "src/stream/connection.ts",
    what: "a socket is full a byte earlier",
    from: "this.#socket.writableLength > this.#limits",
    to: "this.#socket.writableLength >= this.#limits",
  },
  {
    module: "stream",
    file: "src/stream/ring.ts",
    what: "the ring forgets one event too many",
    from: "=== this.#slots.length)",
    to: "=== this.#slots.length - 1)",
  },
  {
    module: "engine",
    file: "src/programs/schedule/moments.ts",
    what: "from 06:00 to 06:00 lasts no time instead of a day",
    from: "to.secondOfDay > from.secondOfDay",
    to: "to.secondOfDay >= from.secondOfDay",
  },
  {
    module: "engine",
    file: "src/programs/schedule/moments.ts",
    what: "the end of a window is inside it",
    from: "atMs < (moments.endMs ?? 0)",
    to: "atMs <= (moments.endMs ?? 0)",
  },
  {
    module: "engine",
    file: "src/programs/engine/schedules.ts",
    what: "a schedule that is late by exactly the grace is missed",
    from: "nowMs - graceMs(work) - 1",
    to: "nowMs - graceMs(work)",
  },
  {
    module: "engine",
    file: "src/programs/engine/schedules.ts",
    what: "a clock set back by exactly two hours counts as wrong before",
    from: "settledMs > nowMs + SET_BACK_MS",
    to: "settledMs >= nowMs + SET_BACK_MS",
  },
  {
    module: "engine",
    file: "src/programs/engine/run-group.ts",
    what: "a random wait never lasts its whole span",
    from: "longestMs + 1",
    to: "longestMs",
  },
  {
    module: "engine",
    file: "src/programs/engine/run-group.ts",
    what: "the last statement that is allowed is cut",
    from: "if (steps > programStepsMax)",
    to: "if (steps >= programStepsMax)",
  },
  {
    module: "engine",
    file: "src/programs/engine/limits.ts",
    what: "programs that were cut are named without their loop",
    from: "const way = loop.length > 0",
    to: "const way = loop.length <= 0",
  },
  {
    module: "commands",
    file: "src/commands/move-in.ts",
    what: "nodes that an integration takes over are not queried",
    from: "  for (const address of addresses) if (home.nodes.get(address)?.enabled) queryInBackground(ports, address, cause);\n",
    to: "",
  },
  {
    module: "auth",
    file: "src/auth/guest-links.ts",
    what: "every guest link that is made leaves one more timer",
    from: "  #endExpired(): void {\n    const { clock, log } = this.#parts;\n    this.#timer?.cancel();\n",
    to: "  #endExpired(): void {\n    const { clock, log } = this.#parts;\n",
  },
  {
    module: "auth",
    file: "src/auth/change-password.ts",
    what: "a new password is confirmed before the end of the sessions is stored",
    from: "await sessions.endOfAccount",
    to: "void sessions.endOfAccount",
  },
  {
    module: "stream",
    file: "src/stream/hub.ts",
    what: "the first clients get all of a burst before the last ones get any of it",
    from: "if (effort > 0 && this.#clients.delete(client)) this.#clients.add(client);\n",
    to: "\n",
  },
  {
    module: "commands",
    file: "src/commands/addresses.ts",
    what: "every new scene gets the same device group",
    from: "if (deviceGroup <= DEVICE_GROUPS) uses",
    to: "if (deviceGroup > DEVICE_GROUPS) uses",
  },
  {
    module: "store",
    file: "src/store/load-state.ts",
    what: "an empty directory counts as the trace of a former home",
    from: "readdirSync(directory).length > 0",
    to: "readdirSync(directory).length >= 0",
  },
];

/** A mutant that changes nothing that anybody could notice. */
export type Equivalent = {
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
