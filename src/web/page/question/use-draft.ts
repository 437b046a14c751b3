import { useEffect, useState } from 'react';
import { loadDraft, saveDraft, type Draft } from './draft.ts';

/** So long after the last change it is kept. */
const PAUSE_MS = 150;

/** The draft of a request, kept in the browser unless it is about a secret. */
export function useDraft(id: string, isKept: boolean): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => loadDraft(id));
  useEffect(() => {
    if (!isKept) return;
    const save = () => saveDraft(id, draft);
    const timer = setTimeout(save, PAUSE_MS);
    // A page that is hidden may never be shown again.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [id, draft, isKept]);
  return [draft, setDraft];
}
