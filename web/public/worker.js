// Keeps the shell of the page, so that it opens without a network, and shows notifications. Never an answer of /api or /rest: values that are old must
// not look like new ones. Files under /assets/ are named by their content, so a stored one is always right.
const CACHE = "shell-2";
const DOCUMENT = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(DOCUMENT)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && isPage(url.pathname)) event.respondWith(documentOf(event.request));
  else if (isFile(url)) event.respondWith(fileOf(event.request));
});

// Files that the page loaded before there was a worker: without them its first reload without a network would show nothing.
self.addEventListener("message", (event) => event.waitUntil(keepFiles(event.data)));

// Browsers take the permission back from pages whose messages show nothing, so each one is shown, also one that cannot be read.
self.addEventListener("push", (event) => {
  const message = messageOf(event.data);
  event.waitUntil(self.registration.showNotification(message.subject, optionsOf(message)));
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  const { token } = notification.data ?? {};
  notification.close();
  event.waitUntil(token && action !== "" ? answer(notification, Number(action)) : openPage(token ? `/alert#${token}` : "/happened"));
});

// An alert stays until somebody answers; what follows takes its place by the tag. Few browsers show more than two buttons.
function optionsOf({ text, atMs, tag, token, buttons = [], urgency, silent = false }) {
  const labels = token ? [isGerman() ? "Bestätigen" : "Confirm", ...buttons] : [];
  return {
    body: text,
    icon: "/icon-192.png",
    ...(silent && { silent }),
    ...(atMs && { timestamp: atMs }),
    ...(tag && { tag, renotify: !silent, requireInteraction: urgency === "high" || urgency === "critical" }),
    ...(token && { data: { token }, actions: labels.map((title, number) => ({ action: String(number), title })) }),
  };
}

// Without a session: the token has the rights.
async function answer({ title, tag, data }, button) {
  const shown = await fetch("/api/alert-answer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: data.token, button }),
  }).then(
    async (reply) => outcomeOf(await reply.json()),
    () => ({ isOpen: true, text: isGerman() ? "Keine Verbindung. Tippen, um zu antworten." : "No connection. Tap to answer." }),
  );
  const open = shown.isOpen && { data };
  await self.registration.showNotification(title, { body: shown.text, icon: "/icon-192.png", tag, silent: true, ...open });
}

function outcomeOf({ successful, data, error }) {
  if (!successful) return { isOpen: true, text: error };
  const { by, button, outcome } = data.answer;
  const words = isGerman() ? "Bestätigt" : "Confirmed";
  const who = by === "" ? "" : isGerman() ? ` von ${by}` : ` by ${by}`;
  return { isOpen: false, text: [`${words}${who}.`, button && `${button}: ${outcome}`].filter(Boolean).join(" ") };
}

function isGerman() {
  return self.navigator.language.startsWith("de");
}

function messageOf(data) {
  try {
    return { subject: "Domovoi", text: "", ...data.json() };
  } catch {
    return { subject: "Domovoi", text: "" };
  }
}

async function openPage(place) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(place);
  await page.focus();
  return page.navigate(place);
}

// What plugins and other programs answer there is no page of ours, also where a person opens it.
function isPage(path) {
  return !/^\/(api|rest|\.well-known|docs?)(\/|$)/i.test(path);
}

async function documentOf(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) {
      await (await caches.open(CACHE)).put(DOCUMENT, answer.clone());
    }
    return answer;
  } catch (error) {
    const stored = await caches.match(DOCUMENT);
    if (stored) return stored;
    throw error;
  }
}

async function keepFiles(addresses) {
  const files = addresses.map((address) => new URL(address)).filter(isFile);
  await Promise.all(files.map(({ href }) => fileOf(href)));
}

function isFile({ origin, pathname }) {
  return origin === self.location.origin && pathname.startsWith("/assets/");
}

async function fileOf(request) {
  const stored = await caches.match(request);
  if (stored) return stored;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}
