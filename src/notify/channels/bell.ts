import { channel } from '../channel.ts';
import { BELL } from '../terminal/sequences.ts';

/** Rings. In tmux it marks the window, whatever else gets through. */
export const bell = channel('bell', (_isOn, terminal) => {
  return {
    call() {
      terminal.write(BELL);
      return 'rang the bell';
    },
  };
});
