import type { OpenRemote } from '../../notify/remote/open-channels.ts';
import type { NotifyConfig } from '../../workflow/config/notify-keys.ts';
import type { Project } from '../../workflow/project/project.ts';
import { pushSubscriptions } from '../../workflow/push/push-subscriptions.ts';
import type { Cli } from '../cli.ts';

/**
 * The way to browsers that have asked on the page to be called; `undefined`: none has. `isServed`: one may do so, as the
 * page is there.
 *
 * @throws {CliffordError} `PUSH_UNREADABLE`.
 */
export async function pageChannel(
  { env }: Pick<Cli, 'env'>,
  { root }: Pick<Project, 'root'>,
  notify: NotifyConfig,
  { isServed = false }: { readonly isServed?: boolean | undefined } = {},
): Promise<OpenRemote | undefined> {
  const place = { root, env };
  if (!isServed && (await pushSubscriptions(place)).length === 0) return undefined;
  const [{ openPush }, { isTokenValid }] = await Promise.all([
    import('../../notify/remote/open-push.ts'),
    import('../../web/server/tokens/named-tokens.ts'),
  ]);
  return openPush({ ...place, isValid: (digest) => isTokenValid(env, root, digest) }, notify);
}
