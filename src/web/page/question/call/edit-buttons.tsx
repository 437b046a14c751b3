import type { ReactNode } from 'react';
import { BackButton } from '../../parts/back-button.tsx';
import type { EditedCall } from './edited-call.ts';
import type { Editing } from './use-edit.ts';

type EditButtonsProps = {
  /** Of an agent's own tool. */
  readonly kind: string | undefined;
  /** `undefined`: it is being read; a text says why it cannot be changed. */
  readonly editing: Editing | string | undefined;
  readonly isReady: boolean;
  readonly isSending: boolean;
  /** Why it is not ready. */
  readonly hint: ReactNode;
  readonly onChange: (call: EditedCall) => void;
  readonly onSend: (edit: object) => void;
  /** One step back, also with Escape. */
  readonly onBack: () => void;
};

/** What can be done with a call as it was changed. */
export function EditButtons({
  kind,
  editing,
  isReady,
  isSending,
  hint,
  onChange,
  onSend,
  onBack,
}: EditButtonsProps) {
  const begun = typeof editing === 'object' ? editing : undefined;
  const edit = begun?.parts.editOf(begun.call);
  return (
    <>
      {typeof editing === 'string' && <p className="edit-problem">{editing}</p>}
      <BackButton onBack={onBack} isFirst={!begun} />
      {begun && <begun.parts.FieldsButton kind={kind} call={begun.call} onChange={onChange} />}
      <span className="spring" />
      {editing === undefined && <span className="muted">Reading it…</span>}
      {hint}
      <button
        type="button"
        className="button"
        aria-disabled={!isReady || !edit}
        aria-describedby="read-hint"
        onClick={() => isReady && edit && onSend(edit)}
      >
        {isSending ? 'Recording…' : 'Allow it as changed'}
      </button>
    </>
  );
}
