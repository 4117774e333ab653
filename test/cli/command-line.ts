/** The command line as a process, against a controller in this process, with the demo home standing still. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { DomovoiProcess, runDomovoi } from "../simulation/service-process.ts";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";

type Run = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A controller, and a person with a directory of their own for what the command line keeps. */
export class CommandLine implements AsyncDisposable {
  readonly controller: TestController;
  readonly directory = mkdtempSync(join(tmpdir(), "domovoi-line-"));

  constructor(controller: TestController) {
    this.controller = controller;
  }

  /**
   * The controller's clock is fixed at the time of the machine, because the process compares the expiry of its tokens
   * with it.
   */
  static async start(settings: Parameters<typeof startTestController>[0] = {}): Promise<CommandLine> {
    return new CommandLine(await startTestController(settings, { clock: new VirtualClock(Date.now()) }));
  }

  /** Without anybody's account. */
  get bare(): Readonly<Record<string, string>> {
    return {
      DOMOVOI_CONTROLLERS: join(this.directory, "controllers.json"),
      DOMOVOI_CACHE: join(this.directory, "cache"),
      DOMOVOI_CA: this.authority,
      TZ: "Europe/Berlin",
    };
  }

  get authority(): string {
    return join(this.controller.data, "secrets", "ca-cert");
  }

  /** The owner at the portal. */
  get portal(): Readonly<Record<string, string>> {
    const { username, password } = OWNER;
    const url = this.controller.controller.portalUrl;
    return { ...this.bare, DOMOVOI_URL: url, DOMOVOI_USER: username, DOMOVOI_PASSWORD: password };
  }

  /** The administrator at the local listener. */
  get local(): Readonly<Record<string, string>> {
    const { username, password } = LOCAL;
    const url = this.controller.controller.localUrl;
    return { ...this.bare, DOMOVOI_URL: url, DOMOVOI_USER: username, DOMOVOI_PASSWORD: password };
  }

  /** To its end, as the owner unless another environment is given. */
  async run(args: readonly string[], env = this.portal): Promise<Run> {
    const { code, stdout, stderr } = await runDomovoi(args, { env });
    return { code, stdout, stderr };
  }

  /** The output of a command that must not fail. */
  async read(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0 || stderr !== "") throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  async readJson<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.read(...args, "--json")) as T;
  }

  begin(args: readonly string[], env = this.portal): DomovoiProcess {
    return new DomovoiProcess(args, { env });
  }

  /** For what may come before the process listens: acts again and again until it is seen. @throws Error when the process ends before */
  async whileUnseen(child: DomovoiProcess, act: () => unknown, isSeen: () => boolean): Promise<void> {
    let isOver = false;
    const seen = child.until(isSeen).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await act();
      await this.controller.local.get("/rest/ping");
    }
    await seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.controller[Symbol.asyncDispose]();
    if (existsSync(this.directory)) rmSync(this.directory, { recursive: true });
  }
}
