import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** Packages are built in the nightly run. */
const PACKAGES = "test/packaging/**";
/** Their browsers and processes keep the processors busy. */
const BUSY = ["test/page/**/*.test.ts", "test/cli/**/*.test.ts"];

export const shared: TestProjectInlineConfiguration["test"] = {
  setupFiles: ["test/support/setup.ts"],
  // The service keeps no state in modules, so test files may share a process; starting one for each costs far more.
  isolate: false,
  // Threads cannot be given back when a test leaves a worker of the store behind; processes can.
  pool: "forks",
  // No promise: a test that hangs ends. Long enough for a machine that does other work too.
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
// Processes that tests start run the bundled service, as users do.
export const globalSetup = ["tools/build-service.js", "test/support/install-programs.ts"];

const group = (
  name: string,
  groupOrder: number,
  maxWorkers: number,
  files: { include: string[]; exclude: string[] },
) => ({
  test: { ...shared, name, maxWorkers, sequence: { groupOrder }, ...files },
});

export default defineConfig({
  test: {
    globalSetup,
    // A test that needs another file to run before it shows itself; the seed is printed, and --sequence.seed repeats the order.
    sequence: { shuffle: { files: true } },
    // One group after the other.
    projects: [
      // Most of these wait for a disk, a radio or another process: more of them at once than the machine has cores.
      group("service", 0, 4, { include: ["test/**/*.test.ts"], exclude: [PACKAGES, ...BUSY] }),
      group("page and command line", 1, 3, { include: BUSY, exclude: [] }),
    ],
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "json-summary", "html"] },
  },
});
