import { Notice } from '../../parts/notice.tsx';

/** Says that a call is not what it was when somebody began to read it. */
export function FilesChanged() {
  return (
    <Notice tone="wait" icon="warning" isUrgent>
      <strong>A file has changed meanwhile.</strong> Here is what the call would make of it as it is now.
    </Notice>
  );
}
