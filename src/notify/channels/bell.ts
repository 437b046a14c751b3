import { channel, noTerminal, switchedOff } from '../channel.ts';
import { BELL } from '../terminal/sequences.ts';

/** Rings. In tmux it marks the window, whatever else gets through. */
export const bell = channel('bell', {
  reach: 'here',
  open(isOn, { terminal }) {
    if (!isOn) return switchedOff;
    if (!terminal) return noTerminal;
    return {
      call() {
        terminal.write(BELL);
        return { done: 'rang the bell' };
      },
    };
  },
});
