import { batchOf } from '../screen/current-question.ts';
import type { LookedAtFiles } from './look-at-files.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { unseen } from '../screen/take-input.ts';

/** The screen with what stands in files now. Where a call would make something else of them, it is to be read anew. */
export function takeFiles(state: ScreenState, { files, foldable, seen }: LookedAtFiles): ScreenState {
  const next: ScreenState = {
    ...state,
    files: new Map([...state.files, ...files]),
    filesVersion: state.filesVersion + 1,
    seen: new Map([...state.seen, ...seen]),
    folded: new Set([...state.folded].filter((id) => !files.has(id)).concat(...foldable)),
  };
  // What a first look shows was not there to be read before.
  const isFirst = (id: string) => !state.seen.has(id);
  const isOther = (id: string) => seen.has(id) && (isFirst(id) || state.seen.get(id) !== seen.get(id));
  const others = [...seen.keys()].filter(isOther);
  if (others.length === 0) return next;
  const shown = [
    ...batchOf(state).map(({ id }) => id),
    ...(state.current === undefined ? [] : [state.current]),
  ];
  const readToEnd = new Set([...state.readToEnd].filter((id) => !others.includes(id)));
  if (!shown.some(isOther)) return { ...next, readToEnd };
  if (state.current !== undefined) readToEnd.delete(state.current);
  const anew = unseen({ ...next, readToEnd, questionTop: 0 });
  if (shown.filter(isOther).every(isFirst)) return anew;
  const text = 'A file has changed: here is what the call would make of it now';
  return { ...anew, notice: { tone: 'warning', text } };
}
