/** What every answer tells a browser beside its content. */
const always: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'x-robots-tag': 'noindex',
};

/** The headers of an answer of the API, or of a refusal: nothing in it is to be run, framed or kept. */
export const apiHeaders: Readonly<Record<string, string>> = {
  ...always,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Those of the page: its own scripts and styles, and requests to its own server, nothing else. */
export function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...always, 'cache-control': 'no-store', 'content-security-policy': policy.join('; ') };
}

/** Those of a file of the page. A service worker has the policy of its own file. */
export function fileHeaders(isImmutable: boolean): Readonly<Record<string, string>> {
  return {
    ...always,
    'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
