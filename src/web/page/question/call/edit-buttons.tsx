import type { ReactNode } from 'react';
import { useEscape } from '../../parts/use-escape.ts';
import { editOf, withAllFields, withTexts, type EditedCall } from './edited-call.ts';

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
  useEscape(onBack);
  const edit = typeof call === 'object' ? editOf(call) : undefined;
  return (
    <>
      {typeof call === 'string' && <p className="edit-problem">{call}</p>}
      <button type="button" className="button plain" onClick={onBack}>
        Back
      </button>
      {typeof call === 'object' && <FieldsButton kind={kind} call={call} onChange={onChange} />}
      <span className="spring" />
      {hint}
      <button
        type="button"
        className="button"
        disabled={!isReady || !edit}
        onClick={() => edit && onSend(edit)}
      >
        {isSending ? 'Recording…' : 'Allow it as changed'}
      </button>
    </>
  );
}

type FieldsButtonProps = Pick<EditButtonsProps, 'kind' | 'onChange'> & { readonly call: EditedCall };

/** Changes between the new texts alone and all fields, where there are both. */
function FieldsButton({ kind, call, onChange }: FieldsButtonProps) {
  if (call.texts)
    return (
      <button type="button" className="button plain" onClick={() => onChange(withAllFields(call))}>
        All fields…
      </button>
    );
  const alone = withTexts(kind, call);
  if (!alone.texts) return null;
  return (
    <button type="button" className="button plain" onClick={() => onChange(alone)}>
      {alone.texts.some(({ path }) => path !== undefined) ? 'The new text alone' : 'The command alone'}
    </button>
  );
}
