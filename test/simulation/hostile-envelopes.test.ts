/**
 * Envelopes that no well-behaved client posts, from a seed, by a stranger, a guest, an account with limits and an owner: bombs, depth, odd
 * prefixes, sizes, foreign encodings, ends that are cut off. None is a failure of the controller, none of the first three changes the home, and
 * an honest client beside them hardly waits. Some hundreds in every run, ten thousand each night.
 */

import { expect, test } from "vitest";
import { soapOperations } from "../../src/http/soap/soap-routes.ts";
import { addAccounts } from "../support/accounts.ts";
import { startTestController, type TestController } from "../support/controller.ts";
import type { Answer } from "../support/https-client.ts";
import { ENVELOPES, envelope } from "../support/soap.ts";
import { OddValues } from "./messages/odd-values.ts";

const { DOMOVOI_SEED = "1", DOMOVOI_ENVELOPES = "400" } = process.env;
const COUNT = Number(DOMOVOI_ENVELOPES);
const AT_ONCE = 8;
const PASSWORD = "a password for everybody";
const HONEST_MS = 20;
/** Requests of the honest client before the others come. */
const ALONE = 30;
/** Statuses of the surface; 200 is none for a stranger. */
const ANSWERS = new Set([200, 400, 401, 403, 404, 409, 413, 429, 501, 503, 803, 814]);

const NAMES = [...soapOperations.flatMap(({ names }) => names), "Reboot", "toString", "__proto__", "constructor", ""];
const TEXTS = [
  "1A 2B 3C 1",
  "31001",
  "11001",
  "ZW002_1",
  "0",
  "16",
  "255",
  "-1",
  "1e9",
  "DON",
  "OL",
  "x",
  "&a;",
  "&#0;",
  "&#x41;",
  "<",
  "]]>",
  "ä€🏠",
  "\u0000",
  "none",
  "0AB1.0001",
];
const DECLARED = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

/** A body as text or bytes. */
function hostile(odd: OddValues): string | Buffer {
  const [name, command = ""] = odd.oneOf(NAMES).split(":");
  const tags = [...new Set(soapOperations.flatMap(({ elements }) => Object.values(elements).flat()))];
  const element = (): string => {
    const tag = odd.isChance(0.1) ? `${odd.oneOf(["q:", "q:q:", ":", "1"])}${odd.oneOf(tags)}` : odd.oneOf(tags);
    if (odd.isChance(0.05)) return `<${tag}><![CDATA[${odd.oneOf(TEXTS)}]]></${tag}>`;
    if (odd.isChance(0.05)) return `<CDATA><cmd><${odd.oneOf(["stop", "setKey", "delete", "launch"])} /></cmd></CDATA>`;
    if (odd.isChance(0.03)) return `<${tag} ${"a".repeat(odd.below(9000))}="${odd.oneOf(TEXTS)}"/>`;
    return `<${tag}>${odd.oneOf(TEXTS)}</${odd.isChance(0.03) ? "other" : tag}>`;
  };
  const inner = `<command>${command}</command>${Array.from({ length: odd.below(9) }, element).join("")}`;
  const text = envelope(name ?? "", inner, odd.oneOf(Object.keys(ENVELOPES)));
  switch (odd.below(12)) {
    case 0:
      return DECLARED + text;
    case 1:
      return text.replace("<s:Body>", `<s:Body>${DECLARED}`);
    case 2:
      return envelope(name ?? "", `${"<a>".repeat(odd.below(3000))}${odd.oneOf(TEXTS)}`);
    case 3:
      return text.slice(0, odd.below(text.length));
    case 4:
      return Buffer.from(text, odd.oneOf(["utf16le", "latin1"]));
    case 5:
      return text + odd.oneOf(["x", "<", "<Body", "</s:Body>", "<!--", "\u0000"]).repeat(odd.below(16_000));
    case 6:
      return Buffer.concat([Buffer.from(text.slice(0, 40)), odd.bytes(odd.below(200)), Buffer.from(text.slice(40))]);
    case 7:
      return odd.oneOf(["<s:Body>", "<a b='", "<![CDATA[", "&", "<?", "<!-- ", "</"]).repeat(odd.below(4000));
    default:
      return text;
  }
}

async function accounts(controller: TestController) {
  await addAccounts(controller, [
    { kind: "local", login: "a-guest", password: PASSWORD, role: "guest" },
    { kind: "local", login: "an-owner", password: PASSWORD, role: "owner" },
  ]);
  await controller.login();
  const limits = { nodes: ["ZW002_1"], scenes: [], folders: [], programs: [], variables: [], resources: [] };
  await controller.portal.post("/api/accounts", {
    kind: "local",
    login: "a-lodger",
    password: PASSWORD,
    role: "user",
    limits,
  });
  const basic = (login: string) => ({
    Authorization: `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString("base64")}`,
  });
  return { stranger: {}, guest: basic("a-guest"), limited: basic("a-lodger"), owner: basic("an-owner") } as const;
}

/** What edits of the home would change. */
function shapeOf({ services: { home } }: TestController): string {
  const names = [...home.nodes.values(), ...home.groups.values(), ...home.folders.values()].map(
    ({ address, name, parent }) => `${address} ${name} ${parent?.address}`,
  );
  const programs = [...home.programs.values()].map(({ id, name, version }) => `${id} ${name} ${version}`);
  return [home.edits.size, ...names, ...programs, JSON.stringify(home.controller)].join("\n");
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

test("hostile envelopes are refused, and an honest client hardly waits", {
  timeout: 60_000 + COUNT * 100,
}, async () => {
  const controller = await startTestController({ virtualLatencyMs: 0 });
  try {
    const headers = await accounts(controller);
    const odd = new OddValues(Number(DOMOVOI_SEED));
    const honest: number[] = [];
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const startedMs = performance.now();
        const answer = await controller.local.request("POST", "/services", {
          headers: controller.basic(),
          body: envelope("GetSystemTime"),
        });
        honest.push(performance.now() - startedMs);
        expect(answer.status).toBe(200);
        await new Promise((resolve) => setTimeout(resolve, HONEST_MS));
      }
    };
    const beside = client();
    while (honest.length < ALONE) await new Promise((resolve) => setTimeout(resolve, HONEST_MS));
    const alone = p99(honest.splice(0));
    const seen = new Map<string, number>();
    const post = async (who: keyof typeof headers): Promise<Answer> => {
      const path = odd.isChance(0.1) ? `/program/upload/00${odd.below(90) + 10}` : "/services";
      const answer = await controller.local.request("POST", path, { headers: headers[who], body: hostile(odd) });
      seen.set(`${who} ${answer.status}`, (seen.get(`${who} ${answer.status}`) ?? 0) + 1);
      expect(ANSWERS).toContain(answer.status);
      return answer;
    };
    // Those who may not edit come first; an owner may.
    for (const who of ["stranger", "guest", "limited", "owner"] as const) {
      const before = shapeOf(controller);
      for (let sent = 0; sent < COUNT / 4; sent += AT_ONCE) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(who)));
        if (who === "stranger") expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
      }
      if (who !== "owner") expect(shapeOf(controller)).toBe(before);
    }
    isOver = true;
    await beside;
    const took = p99(honest);
    console.info(
      `${COUNT} envelopes: an honest client's p99 ${took.toFixed(1)} ms of ${honest.length}, alone ${alone.toFixed(1)} ms; ${[...seen].map(([what, times]) => `${what}: ${times}`).join(", ")}`,
    );
    expect(took).toBeLessThan(1000);
    expect(controller.lines.filter(({ level }) => level === "error")).toEqual([]);
  } finally {
    await controller[Symbol.asyncDispose]();
  }
});
