import type { Mark } from '../../events/descriptor.ts';
import type { HistoryIndex } from '../../workflow/history/history-index.ts';
import type { ScreenView } from '../../views/sprints/sprint-view.ts';
import type { TextBuffer } from '../text/text-buffer.ts';

/** A moment of the past that a screen shows. */
export type PastMoment = {
  /** Of the event after which it is, counted in its stream from 1. */
  readonly version: number;
  /** How many events there are by now. */
  readonly length: number;
  /** When the event happened, in ms since the epoch, and how long after the one before. */
  readonly at: number;
  readonly afterMs: number;
  /** What happened, in words. */
  readonly title: string;
  readonly text: string;
  readonly task: string | undefined;
  readonly mark: Mark | undefined;
};

/** A moment, and the sprint as it was then. */
export type ArrivedAt = {
  readonly moment: PastMoment;
  readonly sprint: ScreenView;
  readonly index: HistoryIndex;
  /** What became of the questions that were open then, by their ids; none of those that are open now, too. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly found: Found | undefined;
  /** The screen begins there. */
  readonly isBeginning: boolean;
};

/** What was looked for in the history. */
export type Found = {
  readonly words: string;
  /** The events that have them: their versions, which rise. */
  readonly versions: readonly number[];
};

/** A screen in the past. */
export type Past = {
  readonly moment: PastMoment;
  /** When each event happened, and how it stands out. */
  readonly index: HistoryIndex;
  /** What became of the questions that were open then; nothing of those that are open now, too. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** The sprint as it is by now. */
  readonly present: ScreenView;
  /** Id of the question that was shown when it was left. */
  readonly left: string | undefined;
  /** It is played, so many times as fast as it was. */
  readonly speed: number;
  readonly isPlaying: boolean;
  /** The version that was marked to be compared with. */
  readonly marked: number | undefined;
  /** What has changed since then, or until then, once it was asked for. */
  readonly changes: readonly string[] | undefined;
  /** What is being typed: a place to go to, or words to look for. */
  readonly asks: 'place' | 'words';
  /** As far as it is typed. */
  readonly goal: TextBuffer;
  readonly found: Found | undefined;
  /** Only what was found counts as a step. */
  readonly isSifted: boolean;
};

/** Where to go in time. */
export type Travel =
  | { readonly to: 'event' | 'mark' | 'found'; readonly step: 1 | -1 }
  /** The next event that has these words, which are looked for; none: nothing is looked for any more. */
  | { readonly to: 'words'; readonly words: string }
  /** So many hundredths of the history. */
  | { readonly to: 'part'; readonly step: number }
  | { readonly to: 'first' | 'last' }
  /** A version or a time, as a person types it. */
  | { readonly to: 'place'; readonly text: string };

/** Speeds of playing, in times as fast as it was. */
export const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1_000] as const;
