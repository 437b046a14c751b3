import type { NotifyConfig } from './notify-keys.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Keys of a channel whose variables are for nobody but whoever calls. */
const SECRET_KEYS = ['secret', 'token', 'appToken', 'password', 'url', 'topic'] as const;

/** An environment for agents: without the variables that hold what channels call with. */
export function withoutNotifySecrets(env: Env, { channels }: Pick<NotifyConfig, 'channels'>): Env {
  const named = Object.values(channels).flatMap((channel) =>
    SECRET_KEYS.flatMap((key) => [...(channel[key] ?? '').matchAll(/\$\{([A-Za-z_]\w*)/g)]),
  );
  const names = new Set(named.map(([, name = '']) => name));
  return names.size === 0
    ? env
    : Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}
