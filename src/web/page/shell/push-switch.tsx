import { useEffect, useState } from 'react';
import { inOneLine } from '../../../errors.ts';
import { ApiError, type Api } from '../connection/api.ts';
import { useSession } from '../context.ts';
import { Icon } from '../parts/icon.tsx';
import { tell } from './toasts.tsx';

/** Whether this browser is called, as far as it is known; `undefined`: it cannot be. */
type IsOn = boolean | undefined;

/** Has this browser call its human, also when the page is closed. The browser asks for permission, and only when this is pressed. */
export function PushSwitch() {
  const { api } = useSession();
  const [isOn, setIsOn] = useState<IsOn>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    subscription().then(
      (found) => setIsOn(found && found.current !== null),
      () => undefined,
    );
  }, []);
  if (isOn === undefined) return null;
  const change = async () => {
    setIsBusy(true);
    try {
      setIsOn(isOn ? await switchOff(api) : await switchOn(api));
    } catch (error) {
      tell(whyNot(error), { isBad: true });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="button plain square"
      aria-pressed={isOn}
      aria-label="Notify me in this browser"
      title={isOn ? 'This browser notifies you' : 'Notify me in this browser'}
      disabled={isBusy}
      onClick={() => void change()}
    >
      <Icon name="bell" />
    </button>
  );
}

/** `undefined`: this browser has no Web Push, or not for a page that came without TLS from another machine. */
async function subscription() {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !isSecureContext) return undefined;
  const { pushManager } = await navigator.serviceWorker.ready;
  return { pushManager, current: await pushManager.getSubscription() };
}

async function switchOn(api: Api): Promise<IsOn> {
  if ((await Notification.requestPermission()) !== 'granted') {
    tell('This browser may not show notifications: allow them for this page in its settings', {
      isBad: true,
    });
    return false;
  }
  const found = await subscription();
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

async function switchOff(api: Api): Promise<IsOn> {
  const { current } = (await subscription()) ?? {};
  if (!current) return false;
  tell((await api.endPush(current.endpoint)).text);
  await current.unsubscribe();
  return false;
}

function whyNot(error: unknown): string {
  if (error instanceof ApiError) return inOneLine(error);
  // It was allowed above: a browser that refuses after that lets no private window be notified.
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'This browser notifies no private window: open the page in another one';
  return 'This browser could not reach its push service: try it again later';
}
