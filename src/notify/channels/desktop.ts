import { channel } from '../channel.ts';
import { desktopSequenceOf, isInTmux } from '../terminal/known-terminals.ts';
import { desktopSequences, throughTmux } from '../terminal/sequences.ts';

/** A notification of the desktop, which the terminal shows: through ssh, too. */
export const desktop = channel('desktop', (wish, terminal) => {
  const kind = wish === 'auto' ? desktopSequenceOf(terminal.env) : wish;
  if (kind === undefined)
    return { off: 'this terminal is not known to have notifications: see notify.desktop' };
  const viaTmux = isInTmux(terminal.env);
  const how = `${kind.replace('osc', 'OSC ')}${viaTmux ? ', through tmux, if allow-passthrough is on' : ''}`;
  return {
    call({ title, text }) {
      const sequence = desktopSequences[kind](title, text);
      terminal.write(viaTmux ? throughTmux(sequence) : sequence);
      return `asked the terminal for a notification (${how})`;
    },
  };
});
