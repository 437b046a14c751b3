import { useEffect, useState } from 'react';
import { useSession } from '../context.ts';
import { Icon } from '../parts/icon.tsx';
import { changePush, type IsCalled } from './change-push.ts';
import { pushSubscription } from './push-subscription.ts';
import { tell } from './toasts.tsx';

/** Has this browser call its human, also when the page is closed. The browser asks for permission, and only when this is pressed. */
export function PushSwitch() {
  const { api } = useSession();
  const [isOn, setIsOn] = useState<IsCalled>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    pushSubscription().then(
      (found) => setIsOn(found && found.current !== null),
      () => undefined,
    );
  }, []);
  if (isOn === undefined) return null;
  const change = async () => {
    setIsBusy(true);
    try {
      // Some browsers ask at once, or not at all.
      if (isOn || (await Notification.requestPermission()) === 'granted')
        setIsOn(await changePush(isOn, api));
      else
        tell('This browser may not show notifications: allow them for this page in its settings', {
          isBad: true,
        });
    } catch {
      tell('Clifford does not answer: try it again later', { isBad: true });
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
