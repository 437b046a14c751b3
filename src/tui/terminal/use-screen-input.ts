import { useInput, usePaste } from 'ink';
import { useMouse, type Pointed } from '../mouse/mouse-areas.ts';
import { useHeldKey } from './held-key.ts';
import { useReadTogether } from '../feed/read-together.ts';
import { useBlindness } from '../screen/use-arming.ts';
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

type InputOf<R> = {
  readonly room: R;
  readonly isTooSmall: boolean;
  /** Whether this key would decide something, or send it, by itself. */
  readonly decides: (stroke: Stroke) => boolean;
  readonly onKey?: (() => void) | undefined;
};

/**
 * Hands keys, what is pasted and the mouse to a screen. What cannot be seen must not act; and what is typed on after
 * that neither; only the way out stays open. A key that decides waits until it is known that it came alone.
 */
export function useScreenInput<R>(actor: Keyed<R>, { room, isTooSmall, decides, onKey }: InputOf<R>): void {
  const { isBlind, onDropped } = useBlindness(isTooSmall);
  const isReadTogether = useReadTogether();
  const held = useHeldKey();
  const mayAct = () => {
    onKey?.();
    const isUnseen = isTooSmall || isBlind();
    if (isUnseen) onDropped();
    return !isUnseen;
  };
  const send = (strokes: readonly Stroke[], isTogether: boolean) => {
    if (strokes.length > 0)
      actor.send({ type: 'keys', strokes, isTogether, areLines: areLines(strokes), room });
  };
  useInput((input, key) => {
    const read = readStrokes(input, key);
    const strokes = mayAct() ? read : read.filter(isWayOut);
    const before = held.take();
    const all = [...before, ...strokes];
    const isTogether = (before.length > 0 || isReadTogether?.() === true) && all.some(isOfText);
    const [only] = strokes;
    const isAlone = isReadTogether !== undefined && !isTogether && all.length === 1;
    if (isAlone && only && isOfText(only) && decides(only)) held.hold(strokes, () => send(strokes, false));
    else send(all, isTogether);
  });
  useMouse((pointed) => {
    send(held.take(), true);
    if (mayAct()) actor.send({ type: 'mouse', pointed, room });
  });
  usePaste((text) => {
    send(held.take(), true);
    if (mayAct()) actor.send({ type: 'paste', text });
  });
}

/** Arrows that are held may come together, and mean each what they do. */
function isOfText(stroke: Stroke): boolean {
  return 'text' in stroke || isEnter(stroke);
}
