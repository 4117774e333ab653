/** The options and the help of `domovoi backup`, `domovoi restore` and `domovoi report`. */

import type { Command } from "commander";
import { withConnection } from "../connection/connection-options.ts";
import { lazy, sessionAction } from "../lazy.ts";

const HELP = `
The controller keeps running during a backup. Every backup is verified by restoring it into memory. Without encryption it
contains no accounts, keys and network resources. An encrypted one contains everything; age opens it too (docs/backup.md).

The passphrase is never an argument: it comes from DOMOVOI_BACKUP_PASSPHRASE or from the first line of
--passphrase-file (mode 0600), or you are asked for it.

Examples:
  domovoi backup home.jsonl.gz --url https://localhost:9443
  domovoi backup home.jsonl.gz.age --encrypt --history
  domovoi backup home.jsonl.gz --data /var/lib/domovoi    # of a directory, whether its service runs or not
  domovoi backup list
  domovoi backup test
  domovoi backup show home.jsonl.gz
  domovoi backup verify home.jsonl.gz.age
  domovoi restore home.jsonl.gz.age --data /var/lib/domovoi --replace`;

const REPORT_HELP = `
Versions, settings, integrations with states and reasons, counts, disk, health, metrics and the latest lines of the log, as one
file of text. It holds no passwords, keys, codes, names or network targets. Owners only. --data reports on a data directory, also
while its service does not start.

Examples:
  domovoi report
  domovoi report report.json --url https://localhost:9443
  domovoi report report.json --data /var/lib/domovoi --config /etc/domovoi.json`;

/** @param domovoi gets the commands `backup`, `restore` and `report`. */
export function addBackupCommands(domovoi: Command): void {
  const backup = withConnection(domovoi.command("backup").description("Creates, verifies and lists backups."))
    .argument("[file]", "File to write. An existing file is not replaced.")
    .option("--data <dir>", "Backs up this data directory instead of a running controller.")
    .option("--encrypt", "Encrypts the backup and includes secrets. Asks for a passphrase if none is given.")
    .option("--history", "Includes the journal and the trace of the programs.")
    .option("--passphrase-file <file>", "File whose first line is the passphrase; encrypts.")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, options: unknown, command: Command) => {
      if (file === undefined) return command.help({ error: true });
      await lazy(load, "runBackup")(file, options, command);
    });
  backup
    .command("list")
    .description("Lists the backups stored on the controller.")
    .option("--json", "As JSON.")
    .action(sessionAction(load, "listBackups"));
  backup
    .command("test")
    .description(
      "Verifies a stored backup: the controller restores it into memory. It does this every 30 days by itself.",
    )
    .argument("[backup]", 'As "domovoi backup list" shows it. Default: the newest one.')
    .option("--json", "As JSON.")
    .action(sessionAction(load, "testBackup"));
  addReader(backup, "verify", "Verifies a backup by restoring it into memory; writes nothing.");
  addReader(backup, "show", "Verifies the checksums of a backup and shows its contents.");
  domovoi
    .command("restore")
    .description("Restores a backup into a data directory. Stop the service first.")
    .argument("<file>", "Backup.")
    .requiredOption("--data <dir>", "Data directory.")
    .option("--replace", "Restores even if the directory has a home. The old home is moved aside within the directory.")
    .option("--passphrase-file <file>", "File whose first line is the passphrase.")
    .addHelpText("after", '\n"domovoi backup --help" has examples.')
    .action(lazy(() => import("./restore.ts"), "runRestore"));
  addReportCommand(domovoi);
}

function addReportCommand(domovoi: Command): void {
  withConnection(domovoi.command("report").description("Writes a support report without secrets, for a bug report."))
    .argument("[file]", "File to write. Default: standard output.")
    .option("--data <dir>", "Backs up this data directory instead of a running controller.")
    .option("--config <file>", "The settings file of its service; with --data.")
    .addHelpText("after", REPORT_HELP)
    .action(lazy(() => import("./report.ts"), "runReport"));
}

function addReader(backup: Command, name: "verify" | "show", about: string): void {
  backup
    .command(name)
    .description(about)
    .argument("<file>", "Backup.")
    .option("--passphrase-file <file>", "File whose first line is the passphrase.")
    .option("--json", "As JSON.")
    .action(lazy(load, "readBackupFile", name));
}

function load() {
  return import("./backup.ts");
}
