/** How this browser is called. `undefined`: it has no Web Push, or not for a page that came without TLS from another machine. */
export async function pushSubscription() {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !isSecureContext) return undefined;
  const { pushManager } = await navigator.serviceWorker.ready;
  return { pushManager, current: await pushManager.getSubscription() };
}
