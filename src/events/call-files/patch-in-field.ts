import { says } from './field-names.ts';
import type { PatchedFile } from './patch-lines.ts';
import { beginsAsPatch, isDiffText, isPatchText } from './patched-files.ts';
import type { SaidText, SaidWithoutText } from './said-change.ts';

/**
 * Whether a field has a patch. A diff that a file is to have is a text like any other, and so is one that has a patch in it. `isOwn`: the
 * file is named beside it.
 */
export function isPatch(name: string, text: string, isOwn: boolean): boolean {
  if (says.patch(name)) return true;
  const isOfFile = says.new(name) || says.old(name) || (isOwn && says.whole(name));
  return isOfFile ? beginsAsPatch(text) : isPatchText(text) || isDiffText(text);
}

/** What a patch says becomes of one of its files. */
export function patchChanges({ becomes }: PatchedFile, patch: string): (SaidText | SaidWithoutText)[] {
  switch (becomes.is) {
    case 'deleted':
      return [{ is: 'delete' }];
    case 'written':
      return [{ is: 'write', old: '', now: becomes.text, keys: undefined, patch, places: [] }];
    case 'edited':
      return becomes.hunks.map((hunk) => ({ is: 'edit', ...hunk, keys: undefined, patch }));
  }
}
