// Keeps what the page is drawn with, so that it opens where no server can be reached. Nothing that Clifford knows is kept.
// Each page of a server of several projects has its own.
const { scope } = self.registration;
const SHELL = `clifford-shell ${new URL(scope).pathname}`;

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isOurs = url.origin === self.location.origin && request.method === 'GET';
  if (!isOurs || url.pathname.includes('/api/')) return;
  event.respondWith(fromServer(request));
});

// The server first: a newer Clifford has a newer page.
async function fromServer(request) {
  const shell = await caches.open(SHELL);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await shell.put(request, response.clone());
      if (request.mode === 'navigate') await forgetOthers(shell, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await shell.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

// Files of an older page, which this one does not name.
async function forgetOthers(shell, page) {
  const text = await page.text();
  for (const request of await shell.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname.includes('/assets/') && !text.includes(pathname.split('/').pop()))
      await shell.delete(request);
  }
}

self.addEventListener('push', (event) => {
  const { title = 'Clifford', body = '', question, waiting } = event.data?.json() ?? {};
  const shown = self.registration.showNotification(title, {
    body,
    tag: question ?? 'clifford',
    icon: './icon-512.png',
    badge: './icon-180.png',
    data: { question },
  });
  const badge =
    'setAppBadge' in self.navigator && waiting !== undefined
      ? self.navigator.setAppBadge(waiting)
      : undefined;
  event.waitUntil(Promise.allSettled([shown, badge]));
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
