import { withoutHiddenCharacters } from '../../lib/text/hidden-characters.ts';
import { asRead } from './as-read.ts';
import { hiddenPatternsIn, mayMean } from './wildcard-name.ts';

/** A path and nothing else: no command, no list, nothing that a shell or a template puts something in the place of. */
export const plainPath = /^[\p{L}\p{M}\p{N}_.~@+#/\\-]*$/u;

/**
 * Tells of names whether they stand in one of some texts as that of a file or folder, not within a longer one: as it is, as
 * a person reads it, and without what a person does not see, since an escape sequence hides what follows. Of hidden files
 * also with wildcards.
 */
export function namesIn(...texts: readonly string[]): (name: string) => boolean {
  const read = texts.map(readingsOf);
  return (name) => {
    const asFile = patternOf(name);
    const hint = name.replace(/^\./, '');
    return read.some(({ plain, isPath, readings }) => {
      if (isPath && !plain.includes(hint)) return false;
      return readings().some(
        ({ text, patterns }) =>
          asFile.test(text) || (name.startsWith('.') && patterns().some((each) => mayMean(each, name))),
      );
    });
  };
}

/** How a text may be read, worked out once for all names, and only where it matters. */
function readingsOf(text: string) {
  const plain = text.normalize('NFKC').toLowerCase();
  return {
    plain,
    isPath: plainPath.test(plain),
    readings: once(() => {
      const read = [plain, asRead(text), withoutHiddenCharacters(plain)];
      // A shell takes quotes away, also within a name.
      const all = new Set([...read, ...read.map((each) => each.replaceAll(/['"]/g, ''))]);
      return Array.from(all, (each) => ({ text: each, patterns: once(() => hiddenPatternsIn(each)) }));
    }),
  };
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

function patternOf(name: string): RegExp {
  const literal = name.replaceAll('.', String.raw`\.`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${literal}(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`, 'u');
}
