/** A whole controller with a simulated radio network on its serial port, worked on through the interface. */

import type { DevicePlan } from "../../simulators/zwave/device-plan.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import type { Config } from "../../src/config.ts";
import type { OperationStage } from "../../src/home/operation.ts";
import { startTestController, type TestController, type TestOptions } from "./controller.ts";
import type { Frame, FrameStream } from "./frame-stream.ts";
import type { Answer } from "./https-client.ts";
import { type RadioServer, serveRadio } from "./radio-server.ts";

export type Operation = {
  readonly id: string;
  readonly kind: string;
  readonly stage: OperationStage;
  readonly question: {
    readonly kind: string;
    readonly data: { readonly security?: string[]; readonly dskRest?: string };
  } | null;
  readonly address: string | null;
  readonly percent: number | null;
  readonly result: { readonly security?: string };
  readonly detail: string;
};

export class RadioServices implements AsyncDisposable {
  readonly network: SimulatedNetwork;
  readonly controller: TestController;
  readonly stream: FrameStream;
  readonly #server: RadioServer;

  private constructor(network: SimulatedNetwork, controller: TestController, stream: FrameStream, server: RadioServer) {
    this.network = network;
    this.controller = controller;
    this.stream = stream;
    this.#server = server;
  }

  /** The devices may still be interviewed. */
  static async open(
    devices: readonly DevicePlan[],
    settings: Partial<Config> = {},
    options: TestOptions = {},
  ): Promise<RadioServices> {
    const network = await createSimulatedNetwork({ devices });
    const server = await serveRadio(network);
    const controller = await startTestController({ demo: false, zwavePort: server.url, ...settings }, options);
    await controller.login();
    const stream = await controller.subscribe("rest");
    return new RadioServices(network, controller, stream, server);
  }

  /** The answer of an operation's begin. */
  order({ kind, ...input }: { readonly kind: string; readonly [member: string]: string }): Promise<Answer> {
    return this.controller.portal.post("/api/integrations/zwave/operation", { kind, input });
  }

  /** The answer of an operation's begin that takes a file. @param path below that of the network, with its query */
  send(method: "POST" | "PUT", path: string, file: Buffer, type = "application/octet-stream"): Promise<Answer> {
    const { portal } = this.controller;
    const headers = { ...this.controller.bearer(), "Content-Type": type };
    return portal.request(method, `/api/radios/zwave/${path}`, { headers, body: file });
  }

  answer(answer: object): Promise<Answer> {
    return this.controller.portal.post("/api/integrations/zwave/operation/answer", answer);
  }

  cancel(): Promise<Answer> {
    return this.controller.portal.delete("/api/integrations/zwave/operation");
  }

  /** Waits on the stream until the operation has come to this stage, and reads it. It has to move at least every five seconds. */
  async reaches(stage: OperationStage): Promise<Operation> {
    for (;;) {
      const frame = await this.stream.next(() => true);
      if (!isStep(frame)) continue;
      const { eventInfo } = frame;
      if (eventInfo.includes(`stage="${stage}"`)) return this.operation();
      if (/stage="(?:done|failed|cancelled)"/.test(eventInfo))
        throw new Error(`It ended before "${stage}": ${eventInfo}`);
    }
  }

  async operation(): Promise<Operation> {
    const answer = await this.controller.portal.get("/api/integrations/zwave/operation");
    return answer.json<{ data: Operation }>().data;
  }

  /** Waits until a node has reported its state, now or before. */
  async knows(address: string): Promise<void> {
    await this.#until(({ control, node }) => control === "ST" && node === address);
  }

  /** Waits for an event of a node's life: ND, NR, … */
  async tells(verb: string, address: string): Promise<void> {
    await this.#until(({ control, action, node }) => control === "_3" && action === verb && node === address);
  }

  /** Ignores all other steps; a step must arrive at least every five seconds. */
  async #until(fits: (frame: Frame) => boolean): Promise<void> {
    while (!fits(await this.stream.next(() => true)));
  }

  /** The adapter is pulled out of the machine that serves it. */
  async unplug(): Promise<void> {
    this.network.unplug();
    await this.#server.suspend();
  }

  /** It is back, and the controller looks for it again. */
  async replug(): Promise<void> {
    this.network.replug();
    await this.#server.resume();
    await this.controller.clock.advance(5000);
  }

  /** Addresses of the devices that the interface shows. */
  addresses(): readonly string[] {
    return [...this.controller.services.home.nodes.keys()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stream.close();
    await this.controller[Symbol.asyncDispose]();
    await this.#server.close();
    await this.network.stop();
  }
}

function isStep({ control, eventInfo }: Frame): boolean {
  return control === "_21" && eventInfo.startsWith("<operation");
}
