import type { SaidChange, SaidText } from '../../events/call-files/said-change.ts';
import { ofSameFile } from '../../events/call-files/same-file.ts';

/** What stands around a text in a longer one. */
export type Around = { readonly before: string; readonly after: string };

/**
 * The changes that a call says, each once: some agents say the same in their input, and in what they show. What differs in
 * anything is there twice, since nobody here knows which of both counts.
 */
export function eachOnce(changes: readonly SaidChange[]): readonly SaidChange[] {
  const nested = changes.filter(({ isNested }) => isNested);
  const own = changes.filter(({ isNested }) => !isNested);
  const shownFor = ofSameFile(nested);
  const ownFor = ofSameFile(own);
  const shown = nested.map((said) => {
    const same = ownFor(said.path).filter((other) => isShownBy(other, said));
    return { ...asSaid(said, same), path: wholePath(said.path, same) };
  });
  return [...shown, ...own.filter((said) => !shownFor(said.path).some((other) => isShownBy(said, other)))];
}

/** Where in what is shown of an edit, which may be more of its file, the edit is. `undefined`: that shows something else. */
export function withinShown(
  { is, old, now }: Pick<SaidText, 'is' | 'old' | 'now'>,
  shown: Pick<SaidText, 'old' | 'now'>,
): Around | undefined {
  // Only an edit says what it takes the place of.
  if (now === shown.now && (is !== 'edit' || old === shown.old)) return { before: '', after: '' };
  for (let at = shown.old.indexOf(old); old !== '' && at >= 0; at = shown.old.indexOf(old, at + 1)) {
    const [before, after] = [shown.old.slice(0, at), shown.old.slice(at + old.length)];
    if (before + now + after === shown.now) return { before, after };
  }
  return undefined;
}

/**
 * What is shown as a diff is all of the file, where the call says it is: what the file has besides goes. It is a part where the call says
 * what that takes the place of.
 */
function asSaid(shown: SaidChange, same: readonly SaidChange[]): SaidChange {
  if (!('now' in shown)) return shown;
  if (same.some(({ is }) => is === 'write')) return { ...shown, is: 'write' };
  const isPart = same.some((said) => said.is === 'edit' && (said.old !== '' || said.patch !== undefined));
  return isPart ? { ...shown, isDiff: false } : shown;
}

function isShownBy(said: SaidChange, shown: SaidChange): boolean {
  // A file that goes has no lines left.
  if (shown.is === 'delete' && said.is === 'edit') return said.now === '';
  if (!('now' in said) || !('now' in shown)) return said.is === shown.is;
  if (said.is === 'write') return withEnd(said.now) === withEnd(shown.now);
  // One of the places of a patch: the others are changed in what is shown, too.
  if (said.patch !== undefined) return isPartOf(said, shown);
  return said.old === shown.old || said.old !== ''
    ? withinShown(said, shown) !== undefined
    : isPartOf(said, shown);
}

function isPartOf({ old, now }: SaidText, shown: SaidText): boolean {
  if (now === '') return shown.old.includes(old) && !shown.now.includes(old);
  return shown.old.includes(old) && shown.now.includes(now);
}

/** Of two names of one file the whole one. */
function wholePath(path: string, others: readonly { readonly path: string }[]): string {
  return path.startsWith('/') ? path : (others.find((other) => other.path.startsWith('/'))?.path ?? path);
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
