/** The home in Matter: a whole controller, its bridge over a simulated network, and the thread itself behind the API. */

import type { Endpoint } from "@matter/main";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BridgeEvent, BridgeStatus } from "../../src/bridges/matter/bridge-messages.ts";
import { MatterBridge, type OpenBridgeThread } from "../../src/bridges/matter/matter-bridge.ts";
import { isSecured } from "../../src/profile/roles.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { simulateNetwork } from "../support/matter-network.ts";
import { passingUntil, passUntil } from "../support/passing-time.ts";

const { BridgeNode } = await import("../../src/bridges/matter/bridge-node.ts");
const { ControllerBehavior, ServerNode } = await import("@matter/main");
const { QrPairingCodeCodec } = await import("@matter/main/types");

const clock = new VirtualClock(START_MS);
let controller: TestController;

beforeAll(async () => {
  const settings = { matterInterface: "lo", matterPort: await freePort(), matterBridge: true };
  controller = await passingUntil(clock, startTestController(settings, { clock }));
  await controller.login();
}, 60_000);

afterAll(() => controller[Symbol.asyncDispose]());

describe("the demo home in an ecosystem", () => {
  const network = simulateNetwork();
  const stored = new Map<string, unknown>();
  let status: BridgeStatus | null = null;
  let node: Awaited<ReturnType<typeof BridgeNode.start>> | null = null;
  let bridge: MatterBridge;
  let ecosystem: Awaited<ReturnType<typeof startEcosystem>>;
  let peer: Awaited<ReturnType<typeof commission>>;

  beforeAll(async () => {
    bridge = new MatterBridge(controller.services, { ...OPTIONS, storage: controller.services.config.data }, openHere);
    await bridge.start(hostOf(), new AbortController().signal);
    await passUntil(clock, () => status !== null && bridge.nodes > 10 && node !== null);
    ecosystem = await startEcosystem();
    peer = await passingUntil(clock, commission());
  }, 60_000);

  afterAll(async () => {
    await passingUntil(clock, bridge.stop());
    await ecosystem.close();
  });

  test("what fits is shown, each once by its own name, and nothing that is secured", () => {
    const { home, profile } = controller.services;
    const shown = names();
    expect(shown).toHaveLength(bridge.nodes);
    expect(new Set(shown).size).toBe(shown.length);
    const secured = [...home.nodes.values()].filter((each) => isSecured(profile, each)).map(({ name }) => name);
    expect(secured.length).toBeGreaterThan(0);
    expect(shown.filter((name) => secured.includes(String(name)))).toEqual([]);
  });

  test("a command is an ordinary command of the bridge's account, and the ecosystem hears the report", async () => {
    const lamp = lampName();
    await passingUntil(clock, invoke(lamp, "levelControl", "moveToLevelWithOnOff", LEVEL));
    await passUntil(
      clock,
      () => Number(controller.services.home.nodes.get(addressOf(lamp))?.properties.get("ST")?.value) > 0,
    );
    const cause = controller.services.queue.lives.recent().find(({ address }) => address === addressOf(lamp))?.cause;
    expect(cause).toMatchObject({ kind: "request", by: "matterbridge" });
    await passUntil(clock, () => stateOf(lamp).onOff?.onOff === true);
  });

  test("a new name, a disabled node and its return reach the ecosystem", async () => {
    const lamp = lampName();
    const path = `/rest/nodes/${encodeURIComponent(addressOf(lamp))}`;
    await passingUntil(clock, controller.local.get(`${path}/change?name=Lantern`));
    await passUntil(clock, () => names().includes("Lantern"));
    await passingUntil(clock, controller.local.get(`${path}/disable`));
    await passUntil(clock, () => !names().includes("Lantern"));
    await passingUntil(clock, controller.local.get(`${path}/enable`));
    await passUntil(clock, () => names().includes("Lantern"));
    expect(stored.get("shown")).toEqual(expect.arrayContaining([expect.objectContaining({ name: "Lantern" })]));
  });

  test("what the bridge's account may not do is refused, and changes nothing", async () => {
    const answers: unknown[] = [];
    let say = (_event: BridgeEvent): void => {};
    const open: OpenBridgeThread = (_task, { event }) => {
      say = event;
      return { send: (order) => void answers.push(order), end: async () => {} };
    };
    const { services } = controller;
    const made = new MatterBridge(services, { ...OPTIONS, access: "none", storage: services.config.data }, open);
    await made.start(hostOf(), new AbortController().signal);
    const before = services.queue.lives.recent().length;
    say({ kind: "command", request: 7, address: addressOf("Lantern"), command: { kind: "on" } });
    await passUntil(clock, () => answers.length > 0);
    expect(answers).toEqual([{ kind: "outcome", request: 7, failure: "Your role does not allow this." }]);
    expect(services.queue.lives.recent()).toHaveLength(before);
    await made.stop();
  });

  test("when its thread ends, the bridge is a failed integration that says why", async () => {
    const states: string[] = [];
    let end = (_reason: string): void => {};
    const open: OpenBridgeThread = (_task, { ended }) => {
      end = ended;
      return { send() {}, end: async () => {} };
    };
    const { services } = controller;
    const made = new MatterBridge(services, { ...OPTIONS, storage: services.config.data }, open);
    const status_ = (state: string, detail: string) => void states.push(`${state}: ${detail}`);
    await made.start({ ...hostOf(), status: status_ }, new AbortController().signal);
    end("out of memory");
    expect(states.at(-1)).toBe("failed: The Matter bridge stopped: out of memory");
    expect([made.codes, made.fabrics, made.nodes]).toEqual([null, [], 0]);
  });

  const openHere: OpenBridgeThread = (task, ports) => {
    const event = (given: BridgeEvent) => {
      if (given.kind === "status") status = given.status;
      ports.event(given);
    };
    const started = BridgeNode.start(task, event, network.host()).then((made) => {
      node = made;
      return made;
    });
    return {
      send: (order) =>
        void started.then(async (made) => {
          await made.obey(order);
          if (order.kind === "close") event({ kind: "closed" });
        }),
      end: async () => {},
    };
  };

  function hostOf() {
    const store = {
      get: (key: string) => stored.get(key),
      set: (key: string, value: unknown) => void stored.set(key, value),
      delete: (key: string) => void stored.delete(key),
      keys: () => [...stored.keys()],
      saved: async () => {},
    };
    const { randomness, log } = controller.services;
    return {
      clock,
      randomness,
      log,
      store,
      status() {},
      guard: (_input: unknown, read: () => void | Promise<void>) => read(),
    };
  }

  async function startEcosystem() {
    const type = ServerNode.RootEndpoint.with(ControllerBehavior);
    const made = await ServerNode.create(type, { id: "ecosystem", environment: network.host() });
    await made.start();
    return made;
  }

  async function commission() {
    const [code] = QrPairingCodeCodec.decode(status?.codes?.qr ?? "");
    if (!code) throw new Error("There is no code.");
    return ecosystem.peers.commission({ passcode: code.passcode, discriminator: code.discriminator });
  }

  type State = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

  function remotes(): readonly { readonly endpoint: Endpoint; readonly state: State }[] {
    return [...peer.endpoints].map((endpoint) => ({ endpoint, state: endpoint.state as State }));
  }

  function names(): readonly unknown[] {
    return remotes().flatMap(({ state }) => state.bridgedDeviceBasicInformation?.nodeLabel ?? []);
  }

  function remote(name: string) {
    const found = remotes().find(({ state }) => state.bridgedDeviceBasicInformation?.nodeLabel === name);
    if (!found) throw new Error(`The ecosystem sees no ${name}.`);
    return found;
  }

  function stateOf(name: string): State {
    return remote(name).state;
  }

  function lampName(): string {
    const lamp = remotes().find(({ state }) => state.levelControl && state.bridgedDeviceBasicInformation);
    return String(lamp?.state.bridgedDeviceBasicInformation?.nodeLabel);
  }

  function addressOf(name: string): string {
    return [...controller.services.home.nodes.values()].find((each) => each.name === name)?.address ?? "";
  }

  async function invoke(name: string, behavior: string, command: string, request: object): Promise<void> {
    await remote(name).endpoint.act(async (agent) => {
      const behaviors = agent as unknown as Readonly<Record<string, Record<string, (given: object) => Promise<void>>>>;
      await behaviors[behavior]?.[command]?.(request);
    });
  }
});

describe("the bridge behind the API, in its thread", () => {
  test("it is ready with codes for the first ecosystem", async () => {
    await passUntil(clock, () => state() === "ready");
    await passUntil(clock, () => matter()?.codes !== null);
    const { bridge } = await get();
    expect(bridge).toMatchObject({ state: "ready", commissioned: false, fabrics: [] });
    expect(bridge).toMatchObject({
      qrPairingCode: expect.stringMatching(/^MT:/),
      manualPairingCode: expect.stringMatching(/^\d{11}$/),
    });
  });

  test("a window is opened, within the bounds of the standard", async () => {
    const opened = await passingUntil(clock, controller.portal.post(WINDOW, { seconds: 180 }));
    expect(opened.status).toBe(200);
    const refused = await passingUntil(clock, controller.portal.post(WINDOW, { seconds: 10 }));
    expect(refused.status).toBe(400);
  });

  test("an ecosystem that there is not cannot be removed", async () => {
    const reply = await passingUntil(clock, controller.portal.delete("/api/matter/bridge/fabrics/9"));
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining("FABRIC_NOT_FOUND")]);
  });

  test("after a stop it has no codes", async () => {
    const cause = { kind: "system", id: "x", by: null } as const;
    await passingUntil(clock, controller.services.integrations.stop("matterbridge", cause));
    const { bridge } = await get();
    expect(bridge).toMatchObject({ state: "stopped", fabrics: [] });
    expect(bridge).not.toHaveProperty("qrPairingCode");
  });

  function state() {
    return controller.services.drivers.find("matterbridge")?.state;
  }

  function matter() {
    return controller.services.drivers.find("matterbridge")?.matter;
  }

  async function get() {
    const reply = await passingUntil(clock, controller.portal.get("/api/matter"));
    expect(reply.status).toBe(200);
    return JSON.parse(reply.text).data;
  }
});

const WINDOW = "/api/matter/bridge/window";
const LEVEL = { level: 200, transitionTime: null, optionsMask: {}, optionsOverride: {} };
const OPTIONS = {
  ...({ name: "matterbridge", port: 5540, networkInterface: null, access: "user", version: "1" } as const),
  ...{ nodes: [], nodesMax: 250, secured: false, contacts: [] },
};
