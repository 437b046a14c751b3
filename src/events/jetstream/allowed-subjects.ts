/** What a server says that a user may publish. Without `allow`: all of it. */
export type Allowed = {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
};

/** Whether a subject may be published to. */
export function isAllowed(subject: string, { allow, deny }: Allowed = {}): boolean {
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, subject));
  return (allow === undefined || isIn(allow)) && !isIn(deny ?? []);
}

/** `*` stands for one token, `>` for those that are left. */
function matches(pattern: string, subject: string): boolean {
  const [wanted, tokens] = [pattern.split('.'), subject.split('.')];
  if (wanted.at(-1) === '>') return tokens.length >= wanted.length && begins(wanted.slice(0, -1), tokens);
  return tokens.length === wanted.length && begins(wanted, tokens);
}

function begins(wanted: readonly string[], tokens: readonly string[]): boolean {
  return wanted.every((token, index) => token === '*' || token === tokens[index]);
}
