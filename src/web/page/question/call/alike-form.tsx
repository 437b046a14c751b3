import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from '../../connection/store.ts';
import { useSession } from '../../context.ts';
import { Notice } from '../../parts/notice.tsx';
import { sendByKeys } from '../../parts/send-by-keys.ts';
import { useOffline } from '../../shell/use-offline.ts';
import { hasReason, reasonOf, withReason } from '../draft.ts';
import { FormFoot, type FormProps } from '../form-foot.tsx';
import { ReasonField, UnsentReasons } from '../reason-field.tsx';
import { useArming } from '../use-arming.ts';
import { useSending } from '../use-decision.ts';
import { useDraft } from '../use-draft.ts';
import { useReadToEnd } from '../use-read-to-end.ts';
import { useWayBack } from '../use-way-back.ts';
import { OneCall } from './one-call.tsx';
import { ReadHint } from './read-hint.tsx';
import { shownOfCall } from './shown-of-call.ts';
import { useCalls } from './use-alike.ts';

const DENY_LABEL = 'Why, for their agents, if you like';

type AlikeFormProps = FormProps & {
  /** The calls that are listed. */
  readonly ids: readonly string[];
  readonly onBack: () => void;
};

/** Calls that wait alike, each whole, for one yes or no to all of them. */
export function AlikeForm({ question, reader, ids, onDone, onEnded, onClose, onBack }: AlikeFormProps) {
  const { api, state } = useSession();
  const [draft, setDraft] = useDraft(question, 'all');
  const [isDenying, setDenying] = useState(false);
  useWayBack(isDenying ? 'deny' : 'list', 'list');
  const [sending, send] = useSending((text) => onDone(text, ids));
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const isSending = sending.is === 'sending' || sending.is === 'done';
  // They close while it is recorded, and stay as they were when it was sent.
  const calls = useHeld(useCalls(ids), isSending);
  const waiting = new Set(useHeld(useStore(state)?.questions, isSending)?.map(({ id }) => id));
  const read = typeof calls === 'object' ? calls : [];
  const open = read.map(({ id }) => id).filter((id) => waiting.has(id));
  const seen = read.flatMap((call) => (call.seen === undefined ? [] : [[call.id, call.seen] as const]));
  const isComparing = read.some(({ id, comparison }) => comparison === 'pending' && waiting.has(id));
  // What is left out of the decision need not be read.
  const contents = read
    .filter(({ id }) => waiting.has(id))
    .map((call) => ({ name: call.id, version: `${shownOfCall(call)} ${revealed.has(call.id)}` }));
  const { end, isRead, ...reading } = useReadToEnd(contents, { isPending: isComparing });
  const isOffline = useOffline();
  const isArmed = useArming(`${open.join(' ')} ${isDenying}`);
  const isLookedAt = useArming(contents.map(({ version }) => version).join(' '));
  const isBusy = isSending || isOffline || !isArmed || open.length === 0;
  const mayAllow = !isBusy && isLookedAt && isRead;
  const noteRevealed = useCallback((id: string, isRevealed: boolean) => {
    setRevealed((before) => {
      if (before.has(id) === isRevealed) return before;
      const others = [...before].filter((each) => each !== id);
      return new Set(isRevealed ? [...others, id] : others);
    });
  }, []);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => region.current?.focus(), []);

  const decide = (decision: 'approve' | 'deny', reason = '') => {
    if (isBusy) return;
    const words = reason.trim();
    const body = {
      ids: open,
      ...(words === '' ? {} : { reason: words }),
      ...(decision === 'approve' ? { seen: Object.fromEntries(seen) } : {}),
    };
    send((signal) => api.decideAll(decision, body, signal));
  };

  return (
    <form
      className="modal-form"
      onKeyDown={sendByKeys}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDenying) decide('deny', reasonOf(draft, 'deny'));
      }}
    >
      <div ref={region} className="modal-body" role="region" aria-label="Calls that are alike" tabIndex={0}>
        {calls === undefined && <p className="muted">Reading them…</p>}
        {typeof calls === 'string' && (
          <Notice tone="bad" icon="warning" isUrgent>
            {calls}
          </Notice>
        )}
        {read.map((call, at) => (
          <OneCall
            key={call.id}
            call={call}
            place={`${at + 1} of ${read.length}`}
            isOpen={waiting.has(call.id)}
            mayReveal={reader?.mayReveal === true}
            mayDecide={reader?.may === 'decide'}
            onRevealed={noteRevealed}
          />
        ))}
        {read.length > 0 && <div ref={end} className="end" />}
      </div>
      <FormFoot
        question={open.length > 0 || calls === undefined ? {} : question}
        reader={reader}
        sending={sending}
        isBegun={isDenying || hasReason(draft)}
        isWritten={hasReason(draft)}
        onEnded={onEnded}
        onClose={onClose}
        unsent={<UnsentReasons sayings={{ deny: { label: DENY_LABEL } }} draft={draft} />}
      >
        {isDenying ? (
          <ReasonField
            label={DENY_LABEL}
            button={`Deny ${all(open.length)}`}
            value={reasonOf(draft, 'deny')}
            isNo
            isBusy={isBusy}
            onChange={(reason) => setDraft(withReason(draft, 'deny', reason))}
            onBack={() => setDenying(false)}
          />
        ) : (
          <>
            <button type="button" className="button plain" disabled={isSending} onClick={onBack}>
              Back to the one
            </button>
            <span className="spring" />
            <ReadHint {...reading} />
            <button
              type="button"
              className="button danger"
              data-leads="deny"
              disabled={isSending || open.length === 0}
              onClick={() => setDenying(true)}
            >
              Deny {all(open.length)}…
            </button>
            <button
              type="button"
              className="button"
              aria-disabled={!mayAllow}
              aria-describedby="read-hint"
              onClick={() => mayAllow && decide('approve')}
            >
              {isSending ? 'Recording…' : `Allow ${all(open.length)}, once each`}
            </button>
          </>
        )}
      </FormFoot>
    </form>
  );
}

/** A value as it was when it began to be held, while it is. */
function useHeld<T>(value: T, isHeld: boolean): T {
  const [kept, setKept] = useState(value);
  if (isHeld) return kept;
  if (kept !== value) setKept(value);
  return value;
}

function all(number: number): string {
  return number === 1 ? 'it' : number === 2 ? 'both' : `all ${number}`;
}
