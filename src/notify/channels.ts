import type { NotifyConfig } from '../workflow/config/notify-keys.ts';
import type { Channel, OpenChannel } from './channel.ts';
import type { NotifyTerminal } from './terminal/notify-terminal.ts';
import { bell } from './channels/bell.ts';
import { desktop } from './channels/desktop.ts';
import { progress } from './channels/progress.ts';
import { title } from './channels/title.ts';

/** Every way to whoever sits at this terminal. */
export const channels: readonly Channel[] = [bell, desktop, title, progress];

/** Those that are open here. */
export function openChannels(config: NotifyConfig, terminal: NotifyTerminal | undefined): OpenChannel[] {
  return channels.flatMap((each) => {
    const opened = each.open(config, terminal);
    return 'off' in opened ? [] : [opened];
  });
}
