type Asked = { readonly decision: string; readonly rule: string };

/** The rule that asks about all parts of a command about which one asks, where these are several: it is said once. */
export function sharedRule(parts: readonly Asked[]): string | undefined {
  const [first, ...others] = parts.filter(({ decision }) => decision === 'confirm');
  const isShared = others.length > 0 && others.every(({ rule }) => rule === first?.rule);
  return isShared ? first?.rule : undefined;
}
