import type { TextBuffer } from '../text/text-buffer.ts';

/** Where keys go while a person looks for what can be done, or at what a command has said. */
export type PaletteFocus =
  | {
      readonly at: 'palette';
      readonly draft: TextBuffer;
      /** The item that Enter takes: of those that match, from 0. */
      readonly picked: number;
      /** Which of the earlier texts stands in the box, counted from the last; `undefined`: none of them. */
      readonly recalled?: number | undefined;
      /** Where what is picked is done. */
      readonly back: 'sprint' | 'over';
    }
  /** What a command has said: the row that is shown first. */
  | { readonly at: 'result'; readonly top: number; readonly back: 'sprint' | 'over' };

/** What a command has said so far. */
export type CommandResult = {
  readonly title: string;
  /** As it was written, with its colours. */
  readonly text: string;
  /** How it ended; `undefined`: it runs. */
  readonly end: string | undefined;
};

/** What the palette knows beside the sprint. */
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
