// Keeps the shell of the page, so that it opens without a network. Never an answer of /api or /rest: values that are old must
// not look like new ones. Files under /assets/ are named by their content, so a stored one is always right.
const CACHE = "shell-1";
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
  if (event.request.mode === "navigate") event.respondWith(documentOf(event.request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fileOf(event.request));
});

async function documentOf(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(DOCUMENT, answer.clone());
    return answer;
  } catch (error) {
    const stored = await caches.match(DOCUMENT);
    if (stored) return stored;
    throw error;
  }
}

async function fileOf(request) {
  const stored = await caches.match(request);
  if (stored) return stored;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}
