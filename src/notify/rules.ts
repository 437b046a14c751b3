import type { NotifyConfig } from '../workflow/config/notify-keys.ts';
import { notifyReasons, type NotifyReason, type NotifyRules } from '../workflow/config/notify-rule-keys.ts';
import type { ChannelPlace } from '../machines/told.ts';
import type { Reason } from './reasons.ts';

/** For what, and when, a channel calls. */
export type ChannelRules = ChannelPlace & {
  readonly what: ReadonlySet<NotifyReason>;
  readonly afterMs: number;
  /** 0: never. */
  readonly remindMs: number;
  readonly quietHours: string | undefined;
};

/** How long a request waits before anybody is called elsewhere, in seconds: whoever sits here comes first. */
const AFTER_ELSEWHERE_S = 10;

/** The rules of a channel, by what the configuration says of it. `at`: whether it calls whoever sits here. */
export function rulesOf(
  { at, ...where }: ChannelPlace & { readonly at: 'here' | 'elsewhere' },
  written: NotifyRules,
  notify: Pick<NotifyConfig, 'quietHours'>,
): ChannelRules {
  const { what = [...notifyReasons], remind = 0, quietHours } = written;
  const { after = at === 'here' ? 0 : AFTER_ELSEWHERE_S } = written;
  return {
    ...where,
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
