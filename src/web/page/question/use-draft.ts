import { useEffect, useState } from 'react';
import { emptyDraft, loadDraft, saveDraft, withoutWords, type Draft } from './draft.ts';
import { useLooksSecret } from './use-looks-secret.ts';

/** So long after the last change it is kept. */
const PAUSE_MS = 150;

/** What of a draft is kept: of a question about a secret no words. */
type KeptOfDraft = 'nothing' | 'choices' | 'all';

/** The draft of a request, kept in the browser but for words that look like a secret. */
export function useDraft(id: string, kept: KeptOfDraft): readonly [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => (kept === 'nothing' ? emptyDraft : loadDraft(id)));
  const looksSecret = useLooksSecret();
  const isSecret = { nothing: undefined, choices: anyWords, all: looksSecret }[kept];
  useEffect(() => {
    // One of before may have been kept.
    if (kept === 'nothing') return saveDraft(id, emptyDraft);
    if (!isSecret) return;
    const save = () => saveDraft(id, withoutWords(draft, isSecret));
    const timer = setTimeout(save, PAUSE_MS);
    // A page that is hidden may never be shown again.
    addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', save);
      save();
    };
  }, [id, draft, isSecret, kept]);
  return [draft, setDraft];
}

const anyWords = () => true;
