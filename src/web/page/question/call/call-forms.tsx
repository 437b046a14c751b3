import { useState } from 'react';
import { later } from '../../parts/later.tsx';
import type { FormProps } from '../form-foot.tsx';
import { CallForm } from './call-form.tsx';
import { useWayBack } from '../use-way-back.ts';
import { useAlike } from './use-alike.ts';

const AlikeForm = later(async () => (await import('./alike-form.tsx')).AlikeForm, 'The list of them');

/** A call that waits: alone, or with all that wait like it, where the reader wants to decide on them together. */
export function CallForms(props: FormProps) {
  const alike = useAlike(props.question);
  // What comes later is not among those that are listed.
  const [listed, setListed] = useState<readonly string[]>();
  useWayBack(listed ? 'list' : 'one', 'one');
  if (listed) return <AlikeForm {...props} ids={listed} onBack={() => setListed(undefined)} />;
  return <CallForm {...props} alike={alike.length} onList={() => setListed(alike)} />;
}
