/** A text in the person's own editor: written to a file of its own, opened, read again. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "./outcome.ts";

export class EditedText {
  readonly #directory = mkdtempSync(join(tmpdir(), "domovoi-edit-"));
  readonly file = join(this.#directory, "program.txt");

  /** Opens the text and waits until the editor ends. @throws CommandFailure when there is no editor. */
  edit(text: string): string {
    writeFileSync(this.file, text, { mode: 0o600 });
    const editor = process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi");
    // An editor may be a command with arguments of its own, as everywhere: EDITOR="code --wait".
    const [command = "", ...args] = editor.split(" ").filter((part) => part !== "");
    const { error, status } = spawnSync(command, [...args, this.file], { stdio: "inherit" });
    if (error || status !== 0) {
      const sentence = `The editor "${editor}" could not be used. EDITOR says which one to take.`;
      throw new CommandFailure("failed", sentence, error);
    }
    return readFileSync(this.file, "utf8");
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
