/** `domovoi completion`, and the hidden command by which the shell asks on Tab. */

import { Argument, type Command } from "commander";

const HELP = `
bash, in ~/.bashrc:  source <(domovoi completion bash)
zsh, in ~/.zshrc:    source <(domovoi completion zsh)     # after compinit

Names of nodes, programs and variables are completed for a saved controller. They are kept for five
minutes in a file that only you can read; a controller that does not answer within a second is not waited for.`;

/** @param domovoi gets the commands, last, because it completes all others */
export function addCompletionCommands(domovoi: Command): void {
  domovoi
    .command("completion")
    .description("Prints the script for shell completion.")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh"]))
    .addHelpText("after", HELP)
    .action(async (shell: "bash" | "zsh") => {
      const { SCRIPTS } = await import("./scripts.ts");
      process.stdout.write(SCRIPTS[shell]);
    });
  domovoi
    .command("__complete", { hidden: true })
    .description("Candidates for the word that is being written.")
    .option("--line <line>", "The line up to the cursor, as bash has it.")
    .argument("[word...]", "The words up to the cursor without their quotes, as zsh has them.")
    .action(async (words: readonly string[], { line }: { readonly line?: string }) => {
      const { completeLine, completeWords } = await import("./complete.ts");
      await (line === undefined ? completeWords(domovoi, words) : completeLine(domovoi, line));
    });
  domovoi
    .command("__names", { hidden: true })
    .description("Asks a controller for its names, for the next completion.")
    .option("--controller <name>")
    .action(async ({ controller }: { readonly controller?: string }) => {
      const { fillNames } = await import("./names.ts");
      await fillNames(controller);
    });
}
