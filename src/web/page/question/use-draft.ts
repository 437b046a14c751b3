import { useEffect, useState } from 'react';
import { loadDraft, saveDraft, withoutWords, type Draft } from './draft.ts';

/** So long after the last change it is kept. */
const PAUSE_MS = 150;

/** How secrets look, which is loaded with the first request; where it cannot be, anything may be one. */
const looksSecret = async () => {
  try {
    return (await import('../../../events/secrets/looks-secret.ts')).looksSecret;
  } catch {
    return () => true;
  }
};

/** What of a draft is kept: of a question about a secret no words. */
export type KeptOfDraft = 'nothing' | 'choices' | 'all';

/** The draft of a request, kept in the browser but for words that look like a secret. */
export function useDraft(id: string, kept: KeptOfDraft): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => loadDraft(id));
  useEffect(() => {
    if (kept === 'nothing') return;
    const save = async () => {
      const isSecret = kept === 'all' ? await looksSecret() : () => true;
      saveDraft(id, withoutWords(draft, isSecret));
    };
    const timer = setTimeout(save, PAUSE_MS);
    // A page that is hidden may never be shown again.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [id, draft, kept]);
  return [draft, setDraft];
}
