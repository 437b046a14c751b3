/** Lets the page be installed, and be opened where no server is: the browser keeps what it is drawn with, and nothing else. */
export function installShell(): void {
  // Only where the browser can be sure that it is this server: on this machine, or over TLS.
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
}
