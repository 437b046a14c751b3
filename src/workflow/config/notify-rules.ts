import type { NotifyChannelConfig, NotifyService } from './notify-channel-keys.ts';

type Key = keyof NotifyChannelConfig;

/** What makes no sense of a channel as a whole: each of its keys may well be right. `key`: the path within it. */
export type NotifyMisfit = { readonly key: readonly string[]; readonly rule: string };

/** What holds for every service. */
const general: readonly Key[] = ['via', 'what', 'after', 'remind', 'quietHours', 'shows'];

/** The keys that a service needs, and those that it may have beside them. */
const services: Readonly<
  Record<NotifyService, { readonly needs: readonly Key[]; readonly takes: readonly Key[] }>
> = {
  webhook: { needs: ['url'], takes: ['format', 'secret'] },
  ntfy: { needs: ['topic'], takes: ['url', 'token'] },
  email: { needs: ['url', 'from', 'to'], takes: ['user', 'password'] },
  telegram: { needs: ['token', 'chat'], takes: ['url', 'answers', 'approvals'] },
  slack: { needs: ['token', 'chat'], takes: ['url', 'appToken', 'answers', 'approvals'] },
};

/** What is wrong with a channel as a whole. One that has no `via` is none, and named by whoever would use it. */
export function notifyMisfits(channel: NotifyChannelConfig): NotifyMisfit[] {
  const { via, answers } = channel;
  if (via === undefined) return [];
  const { needs, takes } = services[via];
  const given = Object.keys(channel).filter((key): key is Key => channel[key as Key] !== undefined);
  const strange = given
    .filter((key) => ![...general, ...needs, ...takes].includes(key))
    .flatMap((key) => pathsOf(channel, key))
    .map((key) => ({ key, rule: `says nothing to ${via}` }));
  const missing = needs.filter((key) => channel[key] === undefined);
  const lacks = missing.length === 0 ? [] : [{ key: ['via'], rule: `also needs ${missing.join(' and ')}` }];
  const needsApp = via === 'slack' && answers !== undefined && channel.appToken === undefined;
  return [
    ...strange,
    ...lacks,
    ...(needsApp && lacks.length === 0
      ? [{ key: ['via'], rule: 'also needs appToken: without it no answer can be read' }]
      : []),
    ...(channel.approvals && answers === undefined && takes.includes('approvals')
      ? [{ key: ['approvals'], rule: 'also needs answers: who may say yes' }]
      : []),
    ...(channel.password !== undefined && channel.user === undefined && takes.includes('password')
      ? [{ key: ['password'], rule: 'also needs user' }]
      : []),
  ];
}

function pathsOf({ answers = {} }: NotifyChannelConfig, key: Key): string[][] {
  return key === 'answers' ? Object.keys(answers).map((name) => [key, name]) : [[key]];
}
