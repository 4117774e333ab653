/** The service worker shows what a push service delivers, and opens the page when a notification is pressed. */

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";

const SOURCE = readFileSync(new URL("../../web/public/worker.js", import.meta.url), "utf8");

type Heard = (event: object) => void;

function startWorker(
  pages: readonly object[],
  fetched: { ok: boolean; type: string } | null = null,
  answered: object | null = null,
) {
  const kept = new Map<unknown, unknown>();
  const cache = { put: async (key: unknown, answer: unknown) => void kept.set(key, answer), add: async () => {} };
  const caches = { open: async () => cache, match: async (key: unknown) => kept.get(key), keys: async () => [] };
  const answer = {
    ok: fetched?.ok,
    headers: new Headers({ "content-type": fetched?.type ?? "" }),
    clone: () => fetched,
  };
  const sent: string[] = [];
  const fetch = async (path: string, init?: { readonly body: string }) => {
    if (init) sent.push(`${path} ${init.body}`);
    if (answered) return { json: async () => answered };
    return fetched ? answer : Promise.reject(new Error("offline"));
  };
  const listeners = new Map<string, Heard>();
  const shown: object[] = [];
  const opened: string[] = [];
  const self = {
    location: { origin: "https://home" },
    navigator: { language: "en-US" },
    addEventListener: (name: string, listener: Heard) => listeners.set(name, listener),
    registration: {
      showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
    },
    clients: { matchAll: async () => pages, openWindow: async (place: string) => void opened.push(place) },
  };
  runInContext(SOURCE, createContext({ self, caches, fetch, URL }));
  const fire = async (name: string, event: object) => {
    let work: unknown;
    listeners.get(name)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) });
    await work;
  };
  /** @returns whether the worker answers it. */
  const navigate = async (path: string) => {
    let answered: unknown;
    const request = { url: `https://home${path}`, method: "GET", mode: "navigate" };
    listeners.get("fetch")?.({ request, respondWith: (given: unknown) => (answered = given) });
    await answered;
    return answered !== undefined;
  };
  return { fire, shown, opened, navigate, kept, sent };
}

test("a message is shown with its time, and one that cannot be read is shown too", async () => {
  const { fire, shown } = startWorker([]);
  const message = { subject: "Hall", text: "Motion", atMs: 1_777_723_200_000 };
  await fire("push", { data: { json: () => message } });
  await fire("push", { data: { json: () => JSON.parse("{") } });
  await fire("push", { data: null });
  expect(shown).toEqual([
    { title: "Hall", body: "Motion", icon: "/icon-192.png", timestamp: message.atMs },
    { title: "Domovoi", body: "", icon: "/icon-192.png" },
    { title: "Domovoi", body: "", icon: "/icon-192.png" },
  ]);
});

test("a press closes it and opens what happened, in a page that is open if there is one", async () => {
  const done: string[] = [];
  const notification = { close: () => done.push("close") };
  const page = { focus: async () => void done.push("focus"), navigate: async (place: string) => void done.push(place) };
  await startWorker([page]).fire("notificationclick", { notification });
  expect(done).toEqual(["close", "focus", "/happened"]);
  const { fire, opened } = startWorker([]);
  await fire("notificationclick", { notification });
  expect(opened).toEqual(["/happened"]);
});

describe("an alert", () => {
  const message = { subject: "Water", text: "Kitchen Leak: wet.", tag: "n000_alert1", urgency: "critical" };
  const data = { token: "secret" };
  const notification = { title: "Water", tag: "n000_alert1", data, close: () => {} };
  const answer = { by: "ada", button: "Light", outcome: "Done." };

  test("stays, has Confirm and its buttons, and a later message takes its place without a sound", async () => {
    const { fire, shown } = startWorker([]);
    await fire("push", { data: { json: () => ({ ...message, token: "secret", buttons: ["Light"] }) } });
    await fire("push", { data: { json: () => ({ ...message, urgency: "low", text: "It is over.", silent: true }) } });
    const actions = [
      { action: "0", title: "Confirm" },
      { action: "1", title: "Light" },
    ];
    expect(shown).toMatchObject([
      { tag: "n000_alert1", renotify: true, requireInteraction: true, data, actions },
      { tag: "n000_alert1", renotify: false, requireInteraction: false, silent: true, body: "It is over." },
    ]);
    expect(shown[1]).not.toHaveProperty("actions");
  });

  test("is answered by its button, and shows what came of it", async () => {
    const { fire, shown, sent } = startWorker([], null, { successful: true, data: { first: true, answer } });
    await fire("notificationclick", { notification, action: "1" });
    expect(sent).toEqual(['/api/alert-answer {"token":"secret","button":1}']);
    expect(shown).toMatchObject([{ title: "Water", body: "Confirmed by ada. Light: Done.", tag: "n000_alert1" }]);
  });

  test("that cannot be answered now can be opened, and a press opens its small page", async () => {
    const { fire, shown, opened } = startWorker([]);
    await fire("notificationclick", { notification, action: "0" });
    expect(shown).toMatchObject([{ body: "No connection. Tap to answer.", data }]);
    await fire("notificationclick", { notification, action: "" });
    expect(opened).toEqual(["/alert#secret"]);
  });
});

test("files that the page loaded before are stored, and no others", async () => {
  const { fire, kept } = startWorker([], { ok: true, type: "text/javascript" });
  const addresses = ["https://home/assets/a.js", "https://home/api/nodes", "https://elsewhere/assets/b.js"];
  await fire("message", { data: addresses });
  expect([...kept.keys()]).toEqual(["https://home/assets/a.js"]);
});

test.each([
  ["/", "text/html; charset=utf-8", true, true],
  ["/node/1A", "text/html; charset=utf-8", true, true],
  ["/apis", "text/html", true, true],
  ["/node/1A", "application/json", true, false],
  ["/api/plugin/1/webhook/x", "text/html", false, false],
  ["/api/plugin/1/oauth", "text/html", false, false],
  ["/rest/nodes", "text/html", false, false],
  ["/REST", "text/html", false, false],
])(
  "an address of %s with %s: answered by the worker %s, kept as the page %s",
  async (path, type, isAnswered, isKept) => {
    const { navigate, kept } = startWorker([], { ok: true, type });
    expect([await navigate(path), kept.has("/")]).toEqual([isAnswered, isKept]);
  },
);
