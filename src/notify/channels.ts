import type { NotifyConfig } from '../workflow/config/notify-keys.ts';
import type { Channel, ChannelPlace, OpenChannel } from './channel.ts';
import { bell } from './channels/bell.ts';
import { command } from './channels/command.ts';
import { desktop } from './channels/desktop.ts';
import { progress } from './channels/progress.ts';
import { title } from './channels/title.ts';

/** Every way to a human. */
export const channels: readonly Channel[] = [bell, desktop, title, progress, command];

/** Those that are open here. `reaches`: which of them this process may use. */
export function openChannels(
  config: NotifyConfig,
  place: ChannelPlace,
  reaches: readonly Channel['reach'][],
): OpenChannel[] {
  return channels
    .filter(({ reach }) => reaches.includes(reach))
    .flatMap((each) => {
      const opened = each.open(config, place);
      return 'off' in opened ? [] : [opened];
    });
}
