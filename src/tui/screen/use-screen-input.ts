import { useInput, usePaste } from 'ink';
import { useRef } from 'react';
import { useMouse, type Pointed } from '../mouse/mouse-areas.ts';
import { useBlindness } from './use-arming.ts';
import { areLines, isWayOut, readStrokes, type Stroke } from '../keys/strokes.ts';

/** What takes keys, what is pasted and the mouse, with the room that it has on the screen. */
type Keyed<R> = {
  readonly send: (
    event:
      | {
          readonly type: 'keys';
          readonly strokes: readonly Stroke[];
          readonly isBehind: boolean;
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
  const isBehindAnother = useReadTogether();
  const mayAct = () => {
    onKey?.();
    const isUnseen = isTooSmall || isBlind();
    if (isUnseen) onDropped();
    return !isUnseen;
  };
  useInput((input, key) => {
    const isSecond = isBehindAnother();
    const read = readStrokes(input, key);
    const strokes = mayAct() ? read : read.filter(isWayOut);
    const isBehind = isSecond && strokes.some(isOfText);
    if (strokes.length > 0)
      actor.send({ type: 'keys', strokes, isBehind, areLines: areLines(strokes), room });
  });
  useMouse((pointed) => {
    if (mayAct()) actor.send({ type: 'mouse', pointed, room });
  });
  usePaste((text) => {
    if (mayAct()) actor.send({ type: 'paste', text });
  });
}

/** Says of each key, as it comes, whether another one was read with it. */
function useReadTogether(): () => boolean {
  const hasCome = useRef(false);
  return () => {
    const isBehind = hasCome.current;
    hasCome.current = true;
    // All that is read at once is handed on at once.
    queueMicrotask(() => (hasCome.current = false));
    return isBehind;
  };
}

/** Arrows that are held may come together, and mean each what they do. */
function isOfText(stroke: Stroke): boolean {
  return 'text' in stroke || stroke.key === 'enter';
}
