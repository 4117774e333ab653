/** P7: from the cause of a change to its frame at each of 100 clients, and how many frames a second leave at most. */

import type { MqttFloodInput } from "../generators/mqtt-subscribers.ts";
import type { ConnectInput, CountOutput, LatencyOutput } from "../generators/subscribers.ts";
import { type CertificateFiles, certificateOf } from "../harness/certificate.ts";
import { type Answer, type ForkedChild, pinToCore } from "../harness/children.ts";
import { HEAP_OF_SERVICE, startController } from "../harness/controller.ts";
import { type HomeCopy, LOCAL_AUTHORIZATION, USUAL } from "../harness/homes.ts";
import type { Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { startMosquitto } from "../harness/mosquitto.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import { NUMBER_MARK } from "../harness/subscriber.ts";
import type { FloodInput, Listeners } from "../servers/embedded-controller.ts";
import type { BroadcastFloodInput } from "../servers/ws-broadcast.ts";

const LATENCY_GOAL = { of: "figure", bound: "at most", value: 5 } as const;
const THROUGHPUT_GOAL = { of: "ratio", bound: "at least", value: 2 } as const;
const CLIENTS = 100;
const PER_SECOND = 200;
const WINDOW = 4096;
export const HEARTBEAT = "<control>_0</control>";
/** The frame of a variable as the stream sends it, with the number at the position where the generator reads it. */
const FRAME = `<?xml version="1.0" encoding="UTF-8"?><Event seqnum="12345" sid="uuid:31" timestamp="2031-02-03T04:05:06.123000-07:00"><control>_1</control><action>6</action><node></node><eventInfo><var type="1" id="1"><prec>0</prec><val>${NUMBER_MARK}</val><ts>20310203 04:05:06 </ts></var></eventInfo></Event>`;

type Flooded = Answer<CountOutput> & { readonly serverCores: number };

export const fanOut: Measure = {
  id: "P7",
  title: "stream fan-out to 100 clients",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const certificate = certificateOf(home);
    const rows = [await latencyRow(bench, home, certificate), ...(await throughputRows(bench, home, certificate))];
    return {
      rows,
      notes: [
        `Latency counts from when the write of a variable (GET /rest/vars/set) was due to the frame at a client, ${PER_SECOND}/s; bare ws: from a client's message to its broadcast.`,
        "The frame of an edit follows the answer to it, which waits for the disk: this latency includes a commit, the one of bare ws does not.",
        `Throughput: reports committed inside a controller, at most ${WINDOW} under way; journal included, everything of a server on one core, all clients in one process on the other. All over TLS.`,
        ...(rows.some(({ peer }) => peer === null)
          ? ["mosquitto is not installed (Debian: apt-get install mosquitto); the comparison is left out."]
          : []),
      ],
    };
  },
};

async function latencyRow(bench: Bench, home: HomeCopy, certificate: CertificateFiles): Promise<Row> {
  const seconds = bench.quick ? 5 : 15;
  bench.say(`${PER_SECOND} writes a second to ${CLIENTS} clients`);
  const controller = await startController(bench.children, { home });
  const generator = fork(bench);
  await generator.call("connect", streamOf(controller.local));
  const cause = {
    kind: "variable",
    target: controller.local,
    authorization: LOCAL_AUTHORIZATION,
    path: `/rest/vars/set/1/1/${NUMBER_MARK}`,
  } as const;
  await generator.call("latency", { cause, perSecond: PER_SECOND, seconds: 1 });
  const before = processorSeconds(controller.pid);
  const own = await generator.call<LatencyOutput>("latency", { cause, perSecond: PER_SECOND, seconds });
  const serverCores = (processorSeconds(controller.pid) - before) / seconds;
  await Promise.all([generator.end(), controller.end()]);
  if (own.value.missing > 0) throw new Error(`${own.value.missing} frames never came.`);

  const bare = await bareLatency(bench, certificate, seconds);
  return {
    what: `p99 from cause to client, ${PER_SECOND}/s`,
    figure: own.value.spread.p99,
    unit: "ms",
    goal: LATENCY_GOAL,
    peer: { name: "bare ws broadcast (limit)", figure: bare.value.spread.p99 },
    spread: own.value.spread,
    health: own.health,
    serverCores,
  };
}

async function bareLatency(bench: Bench, certificate: CertificateFiles, seconds: number) {
  const { server, target } = await startBroadcast(bench, certificate);
  const generator = fork(bench);
  await generator.call("connect", { target, path: "/", clients: CLIENTS, replayEnd: "" });
  const cause = { kind: "message", text: FRAME } as const;
  await generator.call("latency", { cause, perSecond: PER_SECOND, seconds: 1 });
  const bare = await generator.call<LatencyOutput>("latency", { cause, perSecond: PER_SECOND, seconds: seconds / 3 });
  await Promise.all([generator.end(), server.end()]);
  return bare;
}

async function throughputRows(bench: Bench, home: HomeCopy, certificate: CertificateFiles): Promise<readonly Row[]> {
  const frames = bench.quick ? 4000 : 12_000;
  bench.say("as many frames as can be");
  const own = await ownFlood(bench, home, frames);
  const bare = await bareFlood(bench, certificate, frames);
  const broker = await brokerFlood(bench, certificate, frames / 2);
  const row = {
    what: "most frames a second",
    figure: own.value.framesPerSecond,
    unit: "frames/s",
    health: own.health,
    serverCores: own.serverCores,
  } as const;
  return [
    { ...row, goal: THROUGHPUT_GOAL, peer: { name: "bare ws broadcast loop", figure: bare.value.framesPerSecond } },
    { ...row, peer: broker && { name: "mosquitto, QoS 0, TLS", figure: broker.value.framesPerSecond } },
  ];
}

async function ownFlood(bench: Bench, home: HomeCopy, frames: number): Promise<Flooded> {
  const server = bench.children.fork("servers/embedded-controller.ts", HEAP_OF_SERVICE);
  const { value: listeners } = await server.call<Listeners>("start", home);
  const flooded = await flood(bench, server, streamOf(listeners.local), { frames, window: WINDOW });
  await server.end();
  return flooded;
}

async function bareFlood(bench: Bench, certificate: CertificateFiles, frames: number): Promise<Flooded> {
  const { server, target } = await startBroadcast(bench, certificate);
  const connect = { target, path: "/", clients: CLIENTS, replayEnd: "" };
  const frame = FRAME.replace(NUMBER_MARK, "12345");
  const flooded = await flood(bench, server, connect, { frames, window: WINDOW, frame });
  await server.end();
  return flooded;
}

/**
 * The generator counts while the server floods. The count of the slowest client is sent to the server as it changes.
 */
async function flood(
  bench: Bench,
  server: ForkedChild,
  connect: ConnectInput,
  input: FloodInput | BroadcastFloodInput,
) {
  const generator = fork(bench);
  pinToCore(server.pid, 0);
  pinToCore(generator.pid, 1);
  generator.onTell((name, value) => server.tell(name, value));
  await generator.call("connect", connect);
  const before = processorSeconds(server.pid);
  const counting = generator.call<CountOutput>("count", { frames: input.frames });
  await server.call("flood", input);
  const counted = await counting;
  const serverCores = (processorSeconds(server.pid) - before) / counted.value.seconds;
  await generator.end();
  return { ...counted, serverCores };
}

async function brokerFlood(bench: Bench, certificate: CertificateFiles, frames: number) {
  const broker = await startMosquitto(bench.children, bench.directory("mosquitto"), certificate);
  if (!broker) return null;
  const generator = bench.children.fork("generators/mqtt-subscribers.ts");
  pinToCore(broker.pid, 0);
  pinToCore(generator.pid, 1);
  const frame = FRAME.replace(NUMBER_MARK, "12345");
  const input: MqttFloodInput = { target: broker.target, clients: CLIENTS, frame, frames, window: 1000 };
  const flooded = await generator.call<CountOutput>("flood", input);
  await Promise.all([generator.end(), broker.end()]);
  return flooded;
}

async function startBroadcast(bench: Bench, certificate: CertificateFiles) {
  const server = bench.children.fork("servers/ws-broadcast.ts");
  const { value: port } = await server.call<number>("start", { ...certificate, greeting: [] });
  return { server, target: { host: "127.0.0.1", port } };
}

function streamOf(target: Target): ConnectInput {
  const authorization = LOCAL_AUTHORIZATION;
  return { target, path: "/rest/subscribe", authorization, clients: CLIENTS, replayEnd: HEARTBEAT };
}

function fork(bench: Bench): ForkedChild {
  return bench.children.fork("generators/subscribers.ts");
}
