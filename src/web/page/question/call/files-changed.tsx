import { useState } from 'react';
import { Notice } from '../../parts/notice.tsx';

/** Says that a call would make something else of files than what was seen first. `seen`: what it would make of them now, in short. */
export function FilesChanged({ seen }: { readonly seen: string | undefined }) {
  const [first, setFirst] = useState(seen);
  // That may be found when its card is there already.
  if (first === undefined && seen !== undefined) setFirst(seen);
  if (first === undefined || seen === first) return null;
  return (
    <Notice tone="wait" icon="warning" isUrgent>
      <strong>A file has changed meanwhile.</strong> Here is what the call would make of it as it is now.
    </Notice>
  );
}
