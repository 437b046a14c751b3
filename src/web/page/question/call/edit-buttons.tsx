import type { ReactNode } from 'react';
import { BackButton } from '../../parts/back-button.tsx';
import { editOf, withTexts, type EditedCall } from './edited-call.ts';

type EditButtonsProps = {
  /** Of an agent's own tool. */
  readonly kind: string | undefined;
  /** `undefined`: it is being read; a text says why it cannot be changed. */
  readonly call: EditedCall | string | undefined;
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
  call,
  isReady,
  isSending,
  hint,
  onChange,
  onSend,
  onBack,
}: EditButtonsProps) {
  const edited = typeof call === 'object' ? call : undefined;
  const edit = edited && editOf(edited);
  return (
    <>
      {typeof call === 'string' && <p className="edit-problem">{call}</p>}
      <BackButton onBack={onBack} />
      {edited && <FieldsButton kind={kind} call={edited} onChange={onChange} />}
      <span className="spring" />
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

type FieldsButtonProps = Pick<EditButtonsProps, 'kind' | 'onChange'> & { readonly call: EditedCall };

/** Changes between the new texts alone and all fields, where there are both. */
function FieldsButton({ kind, call, onChange }: FieldsButtonProps) {
  const other = call.texts ? { ...call, texts: undefined } : withTexts(kind, call);
  const name = call.texts ? 'All fields…' : nameOf(other);
  return (
    name && (
      <button type="button" className="button plain" onClick={() => onChange(other)}>
        {name}
      </button>
    )
  );
}

function nameOf({ texts }: EditedCall): string | undefined {
  const isOfFile = texts?.some(({ path }) => path !== undefined);
  return texts && (isOfFile ? 'The new text alone' : 'The command alone');
}
