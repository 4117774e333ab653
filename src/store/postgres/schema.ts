/** The tables of the home in PostgreSQL, and the statements that must be one: a batch, and the change of the writer. */

import type { Statements } from "./connection.ts";

/** Version of the tables. A later one adds a step to `prepareTables`. */
const SHAPE = 1;

const TABLES = `
  CREATE SCHEMA domovoi;
  CREATE TABLE domovoi.home (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    shape integer NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    beat bigint NOT NULL DEFAULT 0,
    writer text,
    writer_url text,
    since_ms bigint,
    commits bigint NOT NULL DEFAULT 0,
    last_seq bigint NOT NULL DEFAULT 0,
    journal_bytes bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 10);
  CREATE TABLE domovoi.state (
    tab text NOT NULL,
    key text NOT NULL,
    body text NOT NULL,
    n bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (tab, key)
  );
  CREATE UNIQUE INDEX state_order ON domovoi.state (n);
  CREATE TABLE domovoi.journal (
    seq bigint PRIMARY KEY,
    first_seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    cause_kind text NOT NULL,
    cause_id text NOT NULL,
    cause_by text,
    type text NOT NULL,
    body text NOT NULL,
    version integer NOT NULL
  );
  CREATE TABLE domovoi.secret (name text PRIMARY KEY, body text NOT NULL);
  INSERT INTO domovoi.home (shape) VALUES (${SHAPE});
`;

/**
 * One batch in one statement, so a writer that is stopped never holds the row of the home. Returns false when another writer took
 * over, or when a batch that was sent before and not answered came through: nothing is written then.
 */
const WRITE_BATCH = `
  CREATE OR REPLACE FUNCTION domovoi.write_batch(
    p_epoch bigint, p_commits bigint, p_last_seq bigint, p_is_whole boolean,
    p_gone_tabs text[], p_gone_keys text[], p_tabs text[], p_keys text[], p_bodies text[],
    p_seqs bigint[], p_firsts bigint[], p_times bigint[], p_kinds text[], p_ids text[], p_bys text[], p_types text[],
    p_entries text[], p_versions integer[],
    p_secrets text[], p_secret_bodies text[],
    p_oldest_ms bigint, p_bytes_max bigint
  ) RETURNS boolean LANGUAGE plpgsql AS $function$
  DECLARE
    added bigint := 0;
    freed bigint := 0;
    total bigint;
  BEGIN
    SELECT coalesce(sum(octet_length(e)), 0) INTO added FROM unnest(p_entries) e;
    UPDATE domovoi.home SET commits = commits + 1, last_seq = p_last_seq, journal_bytes = journal_bytes + added
      WHERE epoch = p_epoch AND commits = p_commits RETURNING journal_bytes INTO total;
    IF NOT FOUND THEN RETURN false; END IF;
    IF p_is_whole THEN DELETE FROM domovoi.state; END IF;
    DELETE FROM domovoi.state s USING unnest(p_gone_tabs, p_gone_keys) g(tab, key) WHERE s.tab = g.tab AND s.key = g.key;
    INSERT INTO domovoi.state (tab, key, body)
      SELECT tab, key, body FROM unnest(p_tabs, p_keys, p_bodies) WITH ORDINALITY AS put(tab, key, body, n) ORDER BY n
      ON CONFLICT (tab, key) DO UPDATE SET body = excluded.body;
    INSERT INTO domovoi.journal
      SELECT * FROM unnest(p_seqs, p_firsts, p_times, p_kinds, p_ids, p_bys, p_types, p_entries, p_versions)
      ON CONFLICT (seq) DO UPDATE SET first_seq = excluded.first_seq, at_ms = excluded.at_ms, type = excluded.type,
        body = excluded.body;
    DELETE FROM domovoi.secret s USING unnest(p_secrets, p_secret_bodies) g(name, body)
      WHERE s.name = g.name AND g.body IS NULL;
    INSERT INTO domovoi.secret SELECT g.name, g.body FROM unnest(p_secrets, p_secret_bodies) g(name, body)
      WHERE g.body IS NOT NULL ON CONFLICT (name) DO UPDATE SET body = excluded.body;
    IF added > 0 THEN
      WITH gone AS (
        DELETE FROM domovoi.journal WHERE seq IN (SELECT seq FROM domovoi.journal ORDER BY seq LIMIT 64)
          AND (total > p_bytes_max OR at_ms < p_oldest_ms) RETURNING octet_length(body) AS bytes
      ) SELECT coalesce(sum(bytes), 0) INTO freed FROM gone;
      IF freed > 0 THEN UPDATE domovoi.home SET journal_bytes = journal_bytes - freed; END IF;
    END IF;
    RETURN true;
  END $function$
`;

/** Makes what is missing. Two machines that start at once take their turns. @throws Error for tables of a later version. */
export async function prepareTables(statements: Statements): Promise<void> {
  const shape = await readShape(statements);
  if (shape === SHAPE) return;
  if (shape !== null) throw new Error(`its tables are of version ${shape}, and this program knows version ${SHAPE}`);
  try {
    await statements.run(`BEGIN; SELECT pg_advisory_xact_lock(4711); ${TABLES}; ${WRITE_BATCH}; COMMIT`);
  } catch (error) {
    await statements.run("ROLLBACK");
    if ((await readShape(statements)) !== SHAPE) throw error;
  }
}

async function readShape(statements: Statements): Promise<number | null> {
  const [{ known } = { known: false }] = await statements.run(
    "SELECT to_regclass('domovoi.home') IS NOT NULL AS known",
  );
  if (known !== true) return null;
  const [row] = await statements.run("SELECT shape FROM domovoi.home");
  return Number(row?.shape);
}

/** Removes the home, for another one in its place. @returns the id of the new one. @throws Error when another writer has it. */
export async function emptyTables(statements: Statements, epoch: number): Promise<string> {
  const [row] = await statements.run(
    `WITH home AS (
       UPDATE domovoi.home SET id = gen_random_uuid(), journal_bytes = 0 WHERE epoch = $1 RETURNING id
     ), state AS (DELETE FROM domovoi.state WHERE EXISTS (SELECT 1 FROM home)),
     journal AS (DELETE FROM domovoi.journal WHERE EXISTS (SELECT 1 FROM home)),
     secret AS (DELETE FROM domovoi.secret WHERE EXISTS (SELECT 1 FROM home))
     SELECT id FROM home`,
    [epoch],
  );
  if (!row) throw new Error("another machine writes the home");
  return String(row.id);
}
