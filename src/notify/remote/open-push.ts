import type { NotifyConfig } from '../../workflow/config/notify-keys.ts';
import type { OpenRemote } from './open-channels.ts';
import { rulesOf } from '../rules.ts';
import type { CheckedPushPlace } from '../../workflow/push/push-subscriptions.ts';
import { webPushChannel } from './services/web-push.ts';

/** The way to browsers that have asked for it: nothing stands in the configuration, they only hear, and answer on the page. */
export function openPush(parts: CheckedPushPlace, notify: Pick<NotifyConfig, 'quietHours'>): OpenRemote {
  const channel = webPushChannel(parts);
  return {
    channel,
    rules: rulesOf({ channel: channel.name, at: 'elsewhere' }, {}, notify),
    shows: 'questions',
    chat: '',
    people: new Map(),
    approvals: false,
    remark: undefined,
  };
}
