/** P16: what commands over HTTP (P4) and reports through programs (P5) feel in a home ten times as large, with 50 users. */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import type { FollowInput } from "../generators/sustained.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import { deviceNames, type LineHome, USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Bench, Goal, Measure, Result, Row } from "../harness/measure.ts";
import type { Health } from "../harness/own-health.ts";
import type { Spread } from "../harness/statistics.ts";
import { addressOf } from "../servers/line-driver.ts";
import { REPORTS_PER_SECOND, steady, stop, wholeSteady } from "./p5-report.ts";
import { HEARTBEAT } from "./p7-fan-out.ts";

const LARGE: LineHome = { nodes: 5000, programs: 1000 };
const USERS = 50;
/** Clients of the stream at which one process is tried beyond a home: no promise, but where it bends. */
const CROWDS = [200, 500];
const COMMANDS_PER_SECOND = 50;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.2 };

type Felt = { readonly commands: Spread; readonly reports: Spread; readonly health: Health };

export const large: Measure = {
  id: "P16",
  title: `${LARGE.nodes.toLocaleString("en")} nodes, ${LARGE.programs.toLocaleString("en")} programs, ${USERS} users`,
  async run(bench): Promise<Result> {
    bench.say(`${USUAL_LINES.nodes} nodes, one user`);
    const one = await live(bench, USUAL_LINES, 1);
    bench.say(`${USUAL_LINES.nodes} nodes, ${USERS} users`);
    const small = await live(bench, USUAL_LINES, USERS);
    bench.say(`${LARGE.nodes} nodes, ${USERS} users`);
    const big = await live(bench, LARGE, USERS);
    const crowds: Row[] = [];
    for (const clients of CROWDS) {
      bench.say(`${USUAL_LINES.nodes} nodes, ${clients} clients`);
      const crowd = await live(bench, USUAL_LINES, clients);
      for (const [what, of] of [
        ["of a command over HTTP", "commands"],
        ["from report to command", "reports"],
      ] as const)
        crowds.push({
          what: `p99 ${what}, ${clients} clients of the stream`,
          figure: crowd[of].p99,
          unit: "ms",
          peer: { name: `the same home, ${USERS} users`, figure: small[of].p99 },
          spread: crowd[of],
          health: crowd.health,
        });
    }
    const row = (what: string, of: "commands" | "reports", which: "p50" | "p99"): readonly Row[] => [
      {
        what: `${which} ${what}`,
        figure: big[of][which],
        unit: "ms",
        goal: GOAL,
        peer: { name: `${USUAL_LINES.nodes} nodes, as many users`, figure: small[of][which] },
        ...(which === "p99" ? { spread: big[of], health: big.health } : {}),
      },
      {
        what: `${which} ${what}`,
        figure: big[of][which],
        unit: "ms",
        peer: { name: `${USUAL_LINES.nodes} nodes, one user`, figure: one[of][which] },
        ...(which === "p99" ? { spread: one[of], health: one.health } : {}),
      },
    ];
    return {
      rows: [
        ...row("of a command over HTTP", "commands", "p50"),
        ...row("of a command over HTTP", "commands", "p99"),
        ...row("from report to command", "reports", "p50"),
        ...row("from report to command", "reports", "p99"),
        ...crowds,
      ],
      notes: [
        `At the same time: ${REPORTS_PER_SECOND} reports a second as in P5, ${COMMANDS_PER_SECOND} commands a second over HTTPS as in P4 until they are answered, and each user follows the event stream over TLS and sends a command a second over a connection of his own. The goal is held against the same load and users on the usual home; the second line of each pair is beside one user, whose spread stands below: what 49 more clients of the stream cost on a machine that plays them too.`,
      ],
    };
  },
};

async function live(bench: Bench, home: LineHome, users: number): Promise<Felt> {
  const places = 2 * Math.max(users, USERS);
  const service = await startLineService(bench, home, {
    streamClientsMax: places,
    streamClientsPerAccountMax: places,
    streamClientsPerAddressMax: places,
  });
  const { local, line } = service.listeners;
  const devices = await startDevices(bench, line);
  const commander = bench.children.fork("generators/commands.ts");
  const clients = bench.children.fork("generators/sustained.ts");
  const authorization = LOCAL_AUTHORIZATION;
  const stream: FollowInput = {
    target: local,
    path: "/rest/subscribe",
    authorization,
    clients: users,
    replayEnd: HEARTBEAT,
  };
  await clients.call("follow", stream);
  const seconds = bench.quick ? 5 : 20;
  const others = deviceNames(home).filter((name) => name.startsWith("m"));
  const heads = ["DON", "DOF"].flatMap((command) =>
    others.map((name) => `/rest/nodes/${encodeURIComponent(addressOf(name))}/cmd/${command}`),
  );
  const commands: Omit<CommandsInput, "seconds"> = {
    target: local,
    heads: heads.map((path) => requestHead({ path, authorization })),
    connections: users,
    perSecond: COMMANDS_PER_SECOND,
  };
  const together = async (lasting: number) =>
    Promise.all([
      commander.call<CommandsOutput>("run", { ...commands, seconds: lasting }),
      wholeSteady(devices.call<SteadyOutput>("steady", steady(lasting, home))),
    ]);
  await together(2);
  const [answered, reported] = await together(seconds);
  const { value: following } = await clients.call<number>("following", null);
  if (following !== users) throw new Error(`${users - following} users lost their stream.`);
  await Promise.all([devices.end(), commander.end(), clients.end(), stop(service)]);
  return { commands: answered.value.spread, reports: reported.value.spread, health: reported.health };
}
