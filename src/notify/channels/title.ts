import { channel, type Shown } from '../channel.ts';
import { hasTitle } from '../terminal/known-terminals.ts';
import { popTitle, pushTitle, titleSequence } from '../terminal/sequences.ts';

/** The title of the terminal: how many requests wait, or how far the sprint is. */
export const title = channel('title', (_isOn, terminal) => {
  if (!hasTitle(terminal.env)) return { off: 'this terminal has no title' };
  let shown: string | undefined;
  let isClosed = false;
  const hide = () => {
    // Where no title was kept, none is better than one that is not true any more.
    if (shown !== undefined) terminal.write(titleSequence('') + popTitle);
    shown = undefined;
  };
  return {
    show(standing) {
      const text = titleText(standing);
      if (text === shown || isClosed) return undefined;
      terminal.write((shown === undefined ? pushTitle : '') + titleSequence(text));
      shown = text;
      return `the title is ${JSON.stringify(text)}`;
    },
    hide,
    close() {
      hide();
      isClosed = true;
    },
  };
});

/** `? 1 · demo`, `3/5 · demo`, `✔ demo`. */
function titleText({ name, open, done, total, end, stall }: Shown): string {
  if (end) return `${end.how === 'completed' ? '✔' : '✗'} ${name}`;
  if (open > 0) return `? ${open} · ${name}`;
  return `${stall ? '… ' : ''}${total > 0 ? `${done}/${total} · ` : ''}${name}`;
}
