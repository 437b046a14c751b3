type Asked = { readonly decision: string; readonly rule: string };

/** The rule that asks about all parts of a command about which one asks, where these are several: it is said once. */
export function sharedRule(parts: readonly Asked[]): string | undefined {
  const [first, ...others] = parts.filter(({ decision }) => decision === 'confirm');
  const isShared = others.length > 0 && others.every(({ rule }) => rule === first?.rule);
  return isShared ? first?.rule : undefined;
}

/**
 * The rules that ask about parts of a command as the policy is now, where the one that asked, which stands in the record, is
 * none of them: somebody has changed the policy since. Otherwise none.
 */
export function rulesAskingNow(parts: readonly Asked[], recorded: string): readonly string[] {
  const now = new Set(parts.filter(({ decision }) => decision === 'confirm').map(({ rule }) => rule));
  return now.has(recorded) ? [] : [...now];
}
