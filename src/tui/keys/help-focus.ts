import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';

/** The keys there are are listed. */
export type KeyList = {
  readonly at: 'help';
  /** The row that is shown first. */
  readonly top: number;
  /** What those that are listed have in them. */
  readonly find: TextBuffer;
  /** That is being typed. */
  readonly isFinding: boolean;
};

/** The same, and where they were asked for: that is there again. */
export type HelpFocus<Back> = KeyList & { readonly back: Back };

/** All keys, from where they were asked for. */
export function helpFrom<const Back>(back: Back): HelpFocus<Back> {
  return { at: 'help', top: 0, back, find: emptyBuffer, isFinding: false };
}

/** The keys that have another text in them. */
export function helpWith<Back>(focus: HelpFocus<Back>, find: TextBuffer): HelpFocus<Back> {
  return { ...focus, find, top: 0 };
}
