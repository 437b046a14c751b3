import { pushKeys } from '../../../workflow/push/push-keys.ts';
import { addPushSubscription, removePushSubscriptions } from '../../../workflow/push/push-subscriptions.ts';
import type { Caller } from '../callers/caller.ts';
import { deciderOf } from '../callers/decider.ts';
import type { Serving } from '../serving.ts';
import { isTokenValid } from '../tokens/named-tokens.ts';
import type { Handlers } from './handlers.ts';

/** Which browsers are called, in which way they have asked for. */
export function pushHandlers(serving: Serving): Pick<Handlers, 'pushKey' | 'push' | 'endPush'> {
  const { env, project } = serving;
  const { root } = project;
  return {
    pushKey: async () => ({ key: (await pushKeys(env)).publicKey }),
    push: async ({ body: { endpoint, keys } }, caller) => {
      deciderOf(caller, serving).requireHuman('have a browser called');
      const token = namedTokenOf(caller);
      const isValid = (digest: string) => isTokenValid(env, root, digest);
      await addPushSubscription({ root, env, isValid }, { endpoint, ...keys, token, name: caller.name });
      return { text: 'This browser is notified when something waits' };
    },
    endPush: async ({ body: { endpoint } }, caller) => {
      deciderOf(caller, serving).requireHuman('have a browser called no longer');
      const token = namedTokenOf(caller);
      // Whoever decides for the project ends what they see; a token to share ends what was begun with it.
      const isTheirs = (own: string | undefined) => token === undefined || own === token;
      await removePushSubscriptions(
        { root, env },
        (each) => each.endpoint === endpoint && isTheirs(each.token),
      );
      return { text: 'This browser is notified no longer' };
    },
  };
}

/** `undefined`: that of a start. */
function namedTokenOf({ digest, isNamed }: Caller): string | undefined {
  return isNamed ? digest : undefined;
}
