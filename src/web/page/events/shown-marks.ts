import type { Mark } from '../../../events/descriptor.ts';

/** What events stand out by, as it is called on the page, what a human is asked first. */
export const markNames: Readonly<Record<Mark, string>> = {
  question: 'Questions',
  approval: 'Approvals',
  answer: 'Answers',
  failure: 'Failures',
  task: 'Tasks',
  steered: 'By hand',
  attempt: 'Attempts',
  sprint: 'Sprint',
};

/** Those events that are shown which stand out so; `undefined`: all events. Never empty. */
export type ShownMarks = readonly Mark[] | undefined;

/** Everything that stands out. */
export const allMarks = Object.keys(markNames).filter(isMark);

function isMark(text: string): text is Mark {
  return Object.hasOwn(markNames, text);
}

/** What is shown, as an address has it: `question,answer`. */
export function marksIn(text: string | undefined): ShownMarks {
  const named = new Set(text?.split(','));
  const shown = allMarks.filter((mark) => named.has(mark));
  return shown.length === 0 ? undefined : shown;
}

/** Whether an event that stands out so, or does not, is shown. */
export function isShown(mark: Mark | undefined, shown: ShownMarks): boolean {
  return shown === undefined || (mark !== undefined && shown.includes(mark));
}

/** Whether all that stands out is shown, and nothing else. */
export function isAllThatMatters(shown: ShownMarks): boolean {
  return shown?.length === allMarks.length;
}

/** What is shown after one of them was pressed: alone where all were shown, else beside the others, or no longer. */
export function pressed(mark: Mark, shown: ShownMarks): ShownMarks {
  if (shown === undefined || isAllThatMatters(shown)) return [mark];
  const next = allMarks.filter((each) => shown.includes(each) !== (each === mark));
  return next.length === 0 ? undefined : next;
}
