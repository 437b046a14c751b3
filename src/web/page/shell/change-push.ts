import { inOneLine } from '../../../errors.ts';
import type { Api } from '../connection/api.ts';
import { ApiError } from '../connection/api-error.ts';
import { pushSubscription } from './push-subscription.ts';
import { tell } from './toasts.tsx';

/** Whether a browser is called, as far as it is known; `undefined`: it cannot be. */
export type IsCalled = boolean | undefined;

/** Has this browser call its human, who has allowed it, or not any more. Says what came of it. */
export async function changePush(isOn: boolean, api: Api): Promise<IsCalled> {
  try {
    return isOn ? await switchOff(api) : await switchOn(api);
  } catch (error) {
    tell(whyNot(error), { isBad: true });
    return isOn;
  }
}

async function switchOn(api: Api): Promise<IsCalled> {
  const found = await pushSubscription();
  if (!found) return undefined;
  const { key } = await api.pushKey();
  const made = await found.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  try {
    tell((await api.push(made.toJSON())).text);
  } catch (error) {
    // Nobody would call it.
    await made.unsubscribe();
    throw error;
  }
  return true;
}

async function switchOff(api: Api): Promise<IsCalled> {
  const { current } = (await pushSubscription()) ?? {};
  if (!current) return false;
  tell((await api.endPush(current.endpoint)).text);
  await current.unsubscribe();
  return false;
}

function whyNot(error: unknown): string {
  if (error instanceof ApiError) return inOneLine(error);
  // It was allowed before: a browser that refuses after that lets no private window be notified.
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'This browser notifies no private window: open the page in another one';
  return 'This browser could not reach its push service: try it again later';
}
