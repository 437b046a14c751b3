import { channel, type Shown } from '../channel.ts';
import { showsProgress } from '../terminal/known-terminals.ts';
import { progressSequence, type progressStates } from '../terminal/sequences.ts';

/** The progress in the tab of the terminal: tasks that are over, and whether somebody has to come. */
export const progress = channel('progress', (_isOn, terminal) => {
  if (!showsProgress(terminal.env)) return { off: 'this terminal is not known to show progress' };
  let shown: string | undefined;
  let isClosed = false;
  const hide = () => {
    if (shown !== undefined) terminal.write(progressSequence('none', 0));
    shown = undefined;
  };
  return {
    show(standing) {
      const state = stateOf(standing);
      const percent = standing.total === 0 ? 0 : Math.floor((standing.done * 100) / standing.total);
      const sequence = progressSequence(state, percent);
      if (sequence === shown || isClosed) return undefined;
      terminal.write(sequence);
      shown = sequence;
      return `the progress is ${percent} % (${state})`;
    },
    hide,
    close() {
      hide();
      isClosed = true;
    },
  };
});

function stateOf({ open, end, stall }: Shown): keyof typeof progressStates {
  if (end) return end.how === 'completed' ? 'normal' : 'failed';
  return open > 0 || stall ? 'waiting' : 'normal';
}
