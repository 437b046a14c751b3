import { useInput, usePaste } from 'ink';
import { useMouse, type Pointed } from '../mouse/mouse-areas.ts';
import { readStrokes, type Stroke } from '../keys/strokes.ts';

/** What a screen takes that cannot show anything. */
const waysOut: ReadonlySet<string> = new Set(['ctrl+c', 'ctrl+z']);

/** What takes keys, what is pasted and the mouse, with the room that it has on the screen. */
type Keyed<R> = {
  readonly send: (
    event:
      | { readonly type: 'keys'; readonly strokes: readonly Stroke[]; readonly room: R }
      | { readonly type: 'paste'; readonly text: string }
      | { readonly type: 'mouse'; readonly pointed: Pointed; readonly room: R },
  ) => void;
};

/** Hands keys, what is pasted and the mouse to a screen. What cannot be seen must not act; only the way out stays open. */
export function useScreenInput<R>(
  actor: Keyed<R>,
  {
    room,
    isTooSmall,
    onKey,
  }: { readonly room: R; readonly isTooSmall: boolean; readonly onKey?: (() => void) | undefined },
): void {
  useInput((input, key) => {
    onKey?.();
    const read = readStrokes(input, key);
    const strokes = isTooSmall ? read.filter((stroke) => 'key' in stroke && waysOut.has(stroke.key)) : read;
    if (strokes.length > 0) actor.send({ type: 'keys', strokes, room });
  });
  useMouse((pointed) => {
    onKey?.();
    if (!isTooSmall) actor.send({ type: 'mouse', pointed, room });
  });
  usePaste((text) => {
    onKey?.();
    if (!isTooSmall) actor.send({ type: 'paste', text });
  });
}
