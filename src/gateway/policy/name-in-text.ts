import { withoutHiddenCharacters } from '../../lib/text/hidden-characters.ts';
import { asRead } from './hidden-characters.ts';
import { mayNameHidden } from './wildcard-name.ts';

/** A path and nothing else: no command, no list, nothing that a shell or a template puts something in the place of. */
export const plainPath = /^[\p{L}\p{M}\p{N}_.~@+#/\\-]*$/u;

/**
 * Whether a text has a name in it as that of a file or folder, not within a longer one: as it is, as a person reads it,
 * and without what a person does not see, since an escape sequence hides what follows. Of hidden files also with wildcards.
 */
export function namesInText(text: string, name: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  const hint = name.replace(/^\./, '');
  if (!plain.includes(hint) && plainPath.test(plain)) return false;
  const readings = [plain, asRead(text), withoutHiddenCharacters(plain)];
  const asFile = patternOf(name);
  // A shell takes quotes away, also within a name.
  return [...readings, ...readings.map((each) => each.replaceAll(/['"]/g, ''))].some(
    (each) => asFile.test(each) || (name.startsWith('.') && mayNameHidden(each, name)),
  );
}

function patternOf(name: string): RegExp {
  const literal = name.replaceAll('.', String.raw`\.`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${literal}(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`, 'u');
}
