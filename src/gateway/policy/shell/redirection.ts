import type { HereDoc, HereString, Redirect } from 'unbash';
import type { ShellRedirect } from './command-reading.ts';
import { literalParts, literalWord } from './literal-word.ts';

/** What programs have open anyway, or where what is written is lost. */
const standing = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin', '/dev/tty']);

/** The file that a redirection opens; `undefined` where it opens none, as `2>&1`, or one that says nothing. */
export function redirectedFile({ operator, target }: Redirect): ShellRedirect | undefined {
  const path = target === undefined ? undefined : literalWord(target);
  const isCopy = operator.endsWith('&') && path !== undefined && /^(?:\d+-?|-)$/.test(path);
  if (isCopy || (path !== undefined && standing.has(path))) return undefined;
  return { path, writes: operator !== '<' && operator !== '<&' };
}

/** The text of a here-document or here-string; `undefined` where it is known only when it runs. */
export function redirectedText(node: HereDoc | HereString): string | undefined {
  if (node.type === 'HereString') return node.target && literalWord(node.target);
  const { delimiter, body } = node;
  const text = body.parts === undefined ? bareBody(body.text, delimiter?.quoted) : literalParts(body.parts);
  return node.operator === '<<-' ? text?.replaceAll(/^\t+/gm, '') : text;
}

function bareBody(text: string, isQuoted: boolean | undefined): string {
  return isQuoted === true
    ? text
    : text.replaceAll(/\\([\\$`\n])/g, (_, next: string) => (next === '\n' ? '' : next));
}
