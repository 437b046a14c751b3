import { useInput, usePaste } from 'ink';
import { useMouse, type Pointed } from '../mouse/mouse-areas.ts';
import { useReadTogether } from './read-together.ts';
import { useBlindness } from './use-arming.ts';
import { areLines, isEnter, isWayOut, readStrokes, type Stroke } from '../keys/strokes.ts';

/** What takes keys, what is pasted and the mouse, with the room that it has on the screen. */
type Keyed<R> = {
  readonly send: (
    event:
      | {
          readonly type: 'keys';
          readonly strokes: readonly Stroke[];
          readonly isTogether: boolean;
          readonly areLines: boolean;
          readonly room: R;
        }
      | { readonly type: 'paste'; readonly text: string }
      | { readonly type: 'mouse'; readonly pointed: Pointed; readonly room: R },
  ) => void;
};

/** Hands keys, what is pasted and the mouse to a screen. What cannot be seen must not act; and what is typed on after
 * that neither; only the way out stays open. */
export function useScreenInput<R>(
  actor: Keyed<R>,
  {
    room,
    isTooSmall,
    onKey,
  }: { readonly room: R; readonly isTooSmall: boolean; readonly onKey?: (() => void) | undefined },
): void {
  const { isBlind, onDropped } = useBlindness(isTooSmall);
  const isReadTogether = useReadTogether();
  const mayAct = () => {
    onKey?.();
    const isUnseen = isTooSmall || isBlind();
    if (isUnseen) onDropped();
    return !isUnseen;
  };
  useInput((input, key) => {
    const read = readStrokes(input, key);
    const strokes = mayAct() ? read : read.filter(isWayOut);
    const isTogether = isReadTogether() && strokes.some(isOfText);
    if (strokes.length > 0)
      actor.send({ type: 'keys', strokes, isTogether, areLines: areLines(strokes), room });
  });
  useMouse((pointed) => {
    if (mayAct()) actor.send({ type: 'mouse', pointed, room });
  });
  usePaste((text) => {
    if (mayAct()) actor.send({ type: 'paste', text });
  });
}

/** Arrows that are held may come together, and mean each what they do. */
function isOfText(stroke: Stroke): boolean {
  return 'text' in stroke || isEnter(stroke);
}
