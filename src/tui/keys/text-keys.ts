import { editDraft } from '../drafts/edited-draft.ts';
import type { Binding } from './binding.ts';
import { newline } from './shared-keys.ts';

/** In a box for words of several lines. */
export const textKeys: readonly Binding[] = [
  newline,
  {
    keys: ['ctrl+g'],
    action: editDraft,
    hint: ['^G', 'editor'],
    help: ['^G', 'write it in the editor of $VISUAL or $EDITOR'],
  },
];
