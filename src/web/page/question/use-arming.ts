import { useEffect, useState } from 'react';

/** So long something has to be seen before it can be decided: who types or taps already means something else, in ms. */
const ARMING_MS = 600;

/** Whether what has this key was seen for long enough. It is not while the page is hidden. */
export function useArming(key: unknown): boolean {
  const [armed, setArmed] = useState<unknown>(nothing);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      setArmed(nothing);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setArmed(key), ARMING_MS);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [key]);
  return armed === key;
}

const nothing = Symbol('nothing');
