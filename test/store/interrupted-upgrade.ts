/** Run by formats.test.ts: upgrades a database and ends like a killed process at one step. */

import { MIGRATIONS } from "../../src/store/database/migrate.ts";
import { upgradeDatabase } from "../../src/store/database/upgrade.ts";

const [path = "", at = ""] = process.argv.slice(2);
const end = () => process.kill(process.pid, "SIGKILL");
const migrations = MIGRATIONS.map((migration) => ({
  ...migration,
  rows(rows: Parameters<NonNullable<(typeof migration)["rows"]>>[0]) {
    migration.rows?.(rows);
    if (at === migration.name) end();
  },
}));

await upgradeDatabase(path, migrations, (step) => {
  if (step === at) end();
});
