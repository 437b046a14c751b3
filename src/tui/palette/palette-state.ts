import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';

/** While a person looks for what can be done. */
export type PaletteOpen<Back> = {
  readonly at: 'palette';
  readonly draft: TextBuffer;
  /** The item that Enter takes: of those that match, from 0. */
  readonly picked: number;
  /** Which of the earlier texts stands in the box, counted from the last; `undefined`: none of them. */
  readonly recalled?: number | undefined;
  /** Where what is picked is done. */
  readonly back: Back;
};

/** While they look at what a command has said: the row that is shown first. */
export type ResultOpen<Back> = { readonly at: 'result'; readonly top: number; readonly back: Back };

/** Where keys go then, on any screen. */
export type PaletteFocus<Back> = PaletteOpen<Back> | ResultOpen<Back>;

/** The palette as it opens. */
export function openPalette<Back>(back: Back): PaletteOpen<Back> {
  return { at: 'palette', draft: emptyBuffer, picked: 0, back };
}

/** What is done about commands outside of a screen. */
export type CommandEffect =
  /** Run a command of our own that reads only. */
  | { readonly type: 'slash'; readonly argv: readonly string[] }
  /** End it. */
  | { readonly type: 'slash-stop' };

/** What a command has said so far, and how it ended. */
export type CommandSaid = { readonly type: 'said'; readonly text: string; readonly end: string | undefined };

/** What a command has said so far. */
export type CommandResult = {
  readonly title: string;
  /** As it was written, with its colours. */
  readonly text: string;
  /** How it ended, where there is something to say of that; `undefined`: it runs. */
  readonly end: string | undefined;
};

/** What the palette knows beside what the screen shows. */
export type PaletteState = {
  /** What was done through it, oldest first. */
  readonly history: readonly string[];
  readonly result: CommandResult | undefined;
  /** Sprints to go to. */
  readonly sprints: readonly string[];
};

export const noPalette: PaletteState = { history: [], result: undefined, sprints: [] };

/** So many texts are remembered. */
const MAX_HISTORY = 100;

/** The history with a text more, which stands there once. */
export function remembered(history: readonly string[], text: string): readonly string[] {
  return [...history.filter((each) => each !== text), text].slice(-MAX_HISTORY);
}

/** The palette when a command has said something: nothing, where none runs. */
export function withSaid(palette: PaletteState, { text, end }: CommandSaid): PaletteState {
  const { result } = palette;
  return result ? { ...palette, result: { ...result, text, end } } : palette;
}
