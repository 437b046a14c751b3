import type { ShellWord } from './command-reading.ts';

/** What `echo` or `printf` would print, roughly; `undefined` for other commands, and where a word is not known. */
export function literalOutput(words: readonly ShellWord[]): string | undefined {
  const [name, ...args] = words;
  if ((name !== 'echo' && name !== 'printf') || args.includes(undefined)) return undefined;
  const known = args.filter((word) => word !== undefined);
  if (name === 'echo') {
    const from = known.findIndex((word) => !/^-[neE]+$/.test(word));
    return from < 0 ? '' : unescaped(known.slice(from).join(' '));
  }
  const [format = '', ...values] = known[0] === '--' ? known.slice(1) : known;
  if (!/%[^%]/.test(format)) return unescaped([format, ...values].join(' '));
  const waiting = [...values];
  const rounds = Math.max(1, Math.ceil(values.length / (format.match(/%[^%]/g)?.length ?? 1)));
  return Array.from({ length: Math.min(rounds, 100) }, () =>
    unescaped(format).replaceAll(/%[-\d.]*([a-z])/gi, (_, kind: string) => {
      const value = waiting.shift() ?? '';
      return kind === 'b' ? unescaped(value) : value;
    }),
  ).join('');
}

const named = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
]);

/** What escapes of `printf` and of `$'…'` stand for, roughly. */
export function unescaped(text: string): string {
  const escapes = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|(.))/g;
  return text.replaceAll(escapes, (all: string, ...groups: (string | undefined)[]) => {
    const [x, u, long, octal, other] = groups;
    const code = octal === undefined ? Number.parseInt(x ?? u ?? long ?? '', 16) : Number.parseInt(octal, 8);
    if (code >= 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code);
    return named.get(other ?? '') ?? all;
  });
}
