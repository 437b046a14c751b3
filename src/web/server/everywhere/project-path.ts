/** As in a JSON Pointer (RFC 6901): browsers run no service worker below an address with an escaped slash of either kind. */
const ESCAPES = [
  ['~', '~0'],
  ['/', '~1'],
  ['\\', '~2'],
] as const;

/** Where a project is, from the list of all. */
export function pathOf(name: string): string {
  const escaped = ESCAPES.reduce((text, [plain, escape]) => text.replaceAll(plain, escape), name);
  return `p/${encodeURIComponent(escaped)}/`;
}

/** The name of the project that is at `/p/<segment>/`, decoded already. */
export function nameAt(segment: string): string {
  return ESCAPES.toReversed().reduce((text, [plain, escape]) => text.replaceAll(escape, plain), segment);
}
