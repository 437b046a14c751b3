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
  command: { needs: ['command'], takes: [] },
};

/**
 * What is wrong with a channel as a whole. One that has no `via` is none, and named by whoever would use it.
 *
 * @param mistaken - Keys of it that stand in a file and do not count: that is said of them, and they are not missing.
 */
export function notifyMisfits(
  channel: NotifyChannelConfig,
  mistaken: ReadonlySet<string> = new Set(),
): NotifyMisfit[] {
  const { via } = channel;
  if (via === undefined) return [];
  const { needs, takes } = services[via];
  const given = Object.keys(channel).filter((key): key is Key => channel[key as Key] !== undefined);
  const strange = given
    .filter((key) => ![...general, ...needs, ...takes].includes(key))
    .flatMap((key) => pathsOf(channel, key))
    .map((key) => ({ key, rule: `says nothing to ${via}` }));
  const isMissing = (key: Key) => channel[key] === undefined && !mistaken.has(key);
  const missing = needs.filter(isMissing);
  const lacks = missing.length === 0 ? [] : [{ key: ['via'], rule: `also needs ${missing.join(' and ')}` }];
  const needsApp = via === 'slack' && channel.answers !== undefined && isMissing('appToken');
  return [
    ...strange,
    ...lacks,
    ...(needsApp && lacks.length === 0
      ? [{ key: ['via'], rule: 'also needs appToken: without it no answer can be read' }]
      : []),
    ...(channel.approvals && isMissing('answers') && takes.includes('approvals')
      ? [{ key: ['approvals'], rule: 'also needs answers: who may say yes' }]
      : []),
    ...(channel.password !== undefined && isMissing('user') && takes.includes('password')
      ? [{ key: ['password'], rule: 'also needs user' }]
      : []),
  ];
}

function pathsOf({ answers = {} }: NotifyChannelConfig, key: Key): string[][] {
  return key === 'answers' ? Object.keys(answers).map((name) => [key, name]) : [[key]];
}
