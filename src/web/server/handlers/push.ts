import { realpath } from 'node:fs/promises';
import { pushKeys } from '../../../workflow/push/push-keys.ts';
import { addPushSubscription, removePushSubscription } from '../../../workflow/push/push-subscriptions.ts';
import { deciderOf } from '../caller.ts';
import type { Serving } from '../serving.ts';
import { readTokens } from '../tokens/named-tokens.ts';
import type { Handlers } from './handlers.ts';

/** Which browsers are called, in which way they have asked for. */
export function pushHandlers(serving: Serving): Pick<Handlers, 'pushKey' | 'push' | 'endPush'> {
  const { env, project } = serving;
  const { root } = project;
  return {
    pushKey: async () => ({ key: (await pushKeys(env)).publicKey }),
    push: async ({ body: { endpoint, keys } }, caller) => {
      deciderOf(caller, serving).requireHuman('have a browser called');
      const named = await readTokens(env, await realpath(root));
      const isNamed = named.some(({ digest }) => digest === caller.digest);
      const token = isNamed ? caller.digest : undefined;
      await addPushSubscription({ root, env }, { endpoint, ...keys, token });
      return { text: 'This browser is called when something waits' };
    },
    endPush: async ({ body: { endpoint } }) => {
      await removePushSubscription({ root, env }, endpoint);
      return { text: 'This browser is called no longer' };
    },
  };
}
