import {
  notifyReasons,
  type NotifyChannelConfig,
  type NotifyReason,
} from '../../workflow/config/notify-channel-keys.ts';
import type { NotifyConfig } from '../../workflow/config/notify-keys.ts';
import type { Reason } from '../reasons.ts';

/** For what, and when, a channel calls. */
export type ChannelRules = {
  /** Its name. */
  readonly channel: string;
  readonly what: ReadonlySet<NotifyReason>;
  readonly afterMs: number;
  /** 0: never. */
  readonly remindMs: number;
  readonly quietHours: string | undefined;
};

/** What a channel may show: the names of sprint and task alone, or what is asked and answered, too. */
export type Shows = 'names' | 'questions';

/** How long a request waits before anybody is called elsewhere, in seconds. */
const AFTER_S = 10;

/** The rules of a channel of the configuration. */
export function rulesOf(
  channel: string,
  { what = [...notifyReasons], after = AFTER_S, remind = 0, quietHours }: NotifyChannelConfig,
  notify: Pick<NotifyConfig, 'quietHours'>,
): ChannelRules {
  return {
    channel,
    what: new Set(what),
    afterMs: after * 1_000,
    remindMs: remind * 1_000,
    quietHours: quietHours ?? notify.quietHours,
  };
}

/** Which of the reasons of the configuration it is. */
export function reasonOf(reason: Reason): NotifyReason {
  switch (reason.is) {
    case 'request':
      return reason.request.asked.approval ? 'approval' : 'question';
    case 'stall':
      return 'budget';
    case 'left':
      return /^(?:overspent|limited):/.test(reason.why) ? 'budget' : 'end';
    case 'failures':
      return 'failure';
    case 'end':
      return reason.end.how === 'failed' ? 'failure' : 'end';
  }
}
