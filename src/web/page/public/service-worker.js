// Keeps what the page is drawn with, so that it opens where no server can be reached. Nothing that Clifford knows is kept.
// Each page of a server of several projects has its own.
const { scope } = self.registration;
const SHELL = `clifford-shell ${new URL(scope).pathname}`;
// The build puts the names of the page's files here: with others it is another worker, which browsers then take.
// Without these there is no page.
const NEEDED = ['./'];
// One of these that cannot be had now is kept when it is loaded first.
const OTHERS = [];
const kept = new Set([...NEEDED, ...OTHERS].map((file) => new URL(file, scope).href));

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetOthers()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isOurs = request.method === 'GET' && kept.has(url.origin + url.pathname);
  if (isOurs) event.respondWith(fromServer(request));
});

async function keepAll() {
  const shell = await caches.open(SHELL);
  await shell.addAll(NEEDED);
  await Promise.allSettled(OTHERS.map((file) => shell.add(file)));
}

// The server first: a newer Clifford has a newer page.
async function fromServer(request) {
  const shell = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    // Where the disk is full nothing is kept.
    if (response.ok) await shell.put(request, response.clone()).catch(() => undefined);
    // A newer server has no parts of the older page that is still open.
    if (response.status !== 404 || request.mode === 'navigate') return response;
    return (await shell.match(request)) ?? response;
  } catch (error) {
    const found = await shell.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}

// Files of an older page.
async function forgetOthers() {
  const shell = await caches.open(SHELL);
  for (const request of await shell.keys()) if (!kept.has(request.url)) await shell.delete(request);
}

self.addEventListener('push', (event) => {
  const { title = 'Clifford', body = '', question } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag: question ?? 'clifford',
      icon: './icon-512.png',
      badge: './icon-180.png',
      data: { question },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { question } = event.notification.data ?? {};
  event.waitUntil(show(question === undefined ? './' : `./#q=${encodeURIComponent(question)}`));
});

async function show(address) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = open.find(({ url }) => new URL('./', url).href === scope);
  if (!page) return self.clients.openWindow(address);
  await page.focus();
  return page.navigate(new URL(address, scope).href).catch(() => undefined);
}
