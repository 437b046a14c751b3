import { useEffect, useState } from 'react';

type LooksSecret = (words: string) => boolean;

/** Once it is loaded. */
let loaded: LooksSecret | undefined;

/** Tells which words look like a secret. `undefined`: it is not loaded yet, which is done with the first request, or cannot be. */
export function useLooksSecret(): LooksSecret | undefined {
  const [known, setKnown] = useState(() => loaded);
  useEffect(() => {
    if (known) return;
    const load = async () => {
      try {
        loaded = (await import('../../../events/secrets/looks-secret.ts')).looksSecret;
        setKnown(() => loaded);
      } catch {
        // A server of another version does not have it any more, or none answers.
      }
    };
    void load();
  }, [known]);
  return known;
}
