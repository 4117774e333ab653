/** How the tests of a mutant run: in the order given by MUTATION_ORDER, and every result is a line of JSON on stdout. */

import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node";
import { globalSetup, shared } from "../../vitest.config.ts";
import type { TestResult } from "./workspace.ts";

/** Groups of test files: all of a group run before the next one. */
const groups: readonly (readonly string[])[] = JSON.parse(process.env.MUTATION_ORDER ?? "[]");

/** The quickest files of a group first: most mutants need no others. */
class MutationSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = (file: TestSpecification) => {
      const path = relative(file.project.config.root, file.moduleId);
      const ms = this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0;
      return { group: groups.findIndex((group) => group.includes(path)), ms };
    };
    const ranked = files.map((file) => ({ file, ...rankOf(file) }));
    return ranked.sort((one, other) => one.group - other.group || one.ms - other.ms).map(({ file }) => file);
  }
}

const say = (result: TestResult) => process.stdout.write(`${JSON.stringify(result)}\n`);

const reporter: Reporter = {
  onTestCaseResult: (test) => {
    const { state, errors = [] } = test.result();
    const message = errors.map((error) => error.message).join("\n");
    say({ name: test.fullName, file: test.module.relativeModuleId, failed: state === "failed", message });
  },
  onTestModuleEnd: (module) => {
    for (const { message } of module.errors())
      say({ name: "a file that does not load", file: module.relativeModuleId, failed: true, message });
  },
  onTestRunEnd: (_modules, unhandled) => {
    for (const { message } of unhandled) say({ name: "an unhandled error", file: "", failed: true, message });
  },
};

export default defineConfig({
  // A busy machine must not look like a mutant that was noticed.
  test: {
    ...shared,
    globalSetup,
    include: ["test/**/*.test.ts"],
    exclude: ["test/packaging/**"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    bail: 1,
    maxWorkers: 1,
    reporters: [reporter],
    sequence: { sequencer: MutationSequencer },
  },
});
