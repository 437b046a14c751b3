import { useLayoutEffect, useRef, useState } from 'react';
import { BackButton } from '../../parts/back-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { later } from '../../parts/later.tsx';
import { sendByKeys } from '../../parts/send-by-keys.ts';
import { useOffline } from '../../shell/use-offline.ts';
import { hasReason, reasonOf, withReason } from '../draft.ts';
import { FormFoot, type FormProps } from '../form-foot.tsx';
import { ReasonField, UnsentReasons, type Saying } from '../reason-field.tsx';
import { useArming } from '../use-arming.ts';
import { useDecision } from '../use-decision.ts';
import { useDraft } from '../use-draft.ts';
import { useReadToEnd } from '../use-read-to-end.ts';
import { useWayBack } from '../use-way-back.ts';
import { CallCard } from './call-card.tsx';
import { EditButtons } from './edit-buttons.tsx';
import { FileNotices } from './file-notices.tsx';
import { ReadHint } from './read-hint.tsx';
import { useRevealed } from './reveal.tsx';
import { shownOfCall } from './shown-of-call.ts';
import type { WideScope } from './scope-choice.tsx';
import { useEdit } from './use-edit.ts';

const ScopeChoice = later(async () => (await import('./scope-choice.tsx')).ScopeChoice, 'For how long');

/** What the reader is about to say. */
type Mode = 'decide' | 'deny' | 'explain' | 'edit' | 'scope';

const sayings: Readonly<Record<'deny' | 'explain', Saying>> = {
  deny: { label: 'Why, for the agent, if you like', button: 'Deny', isNo: true },
  explain: { label: 'Your question (if empty: why it wants this)', button: 'Ask' },
};

type CallFormProps = FormProps & {
  /** How many calls wait like it, itself among them; 0: it is alone. */
  readonly alike: number;
  /** Shows all of them, to decide on them together. */
  readonly onList: () => void;
};

/** A tool call that waits for a human's yes or no. */
export function CallForm({ question, reader, onDone, onEnded, onClose, alike, onList }: CallFormProps) {
  const { id, call, closing, scopes, seen, comparison } = question;
  const [draft, setDraft] = useDraft(question, 'all');
  const [mode, setMode] = useState<Mode>('decide');
  useWayBack(mode, 'decide');
  const [sending, send] = useDecision(id, onDone);
  const isOver = closing !== undefined || sending.is === 'late' || sending.is === 'done';
  const revealing = useRevealed(question, reader?.mayReveal && !isOver);
  const kind = call?.agent === undefined ? undefined : call.tool;
  const [editing, setEdited] = useEdit(id, { kind, isOn: mode === 'edit' });
  const edit = mode === 'edit' && typeof editing === 'object' ? editing : undefined;
  const isWriting = edit !== undefined;
  // What is changed stands in a field of its own: what was read then is not the call.
  const content = `${shownOfCall(question)} ${revealing.whole !== undefined} ${isWriting}`;
  const body = useRef<HTMLDivElement>(null);
  // What is written stands where it begins, with what that is.
  useLayoutEffect(() => {
    if (isWriting) body.current?.scrollTo({ top: 0 });
  }, [isWriting]);
  const { end, isRead, ...reading } = useReadToEnd([{ name: id, version: content }], {
    isPending: comparison === 'pending',
    draft: edit?.call,
  });
  const isOffline = useOffline();
  const isArmed = useArming(mode);
  const isLookedAt = useArming(content);
  const isSending = sending.is === 'sending';
  const isHeld = isSending || isOffline;
  const isBusy = isHeld || !isArmed;
  const mayAllow = !isBusy && isLookedAt && isRead;
  const mayWiden = !isSending && isRead;
  const isBegun = mode !== 'decide' || hasReason(draft);
  if (!call) return null;

  const approve = (body: object) => {
    if (!isOver && mayAllow) send('approve', { ...body, seen });
  };
  const sayNo = (decision: 'deny' | 'explain') => {
    // To ask decides on nothing: who sends that with the keys has chosen it. Its button waits, for who presses twice.
    if (isOver || (decision === 'explain' ? isHeld : isBusy)) return;
    const words = reasonOf(draft, decision).trim();
    const name = decision === 'deny' ? 'reason' : 'question';
    send(decision, words === '' ? {} : { [name]: words });
  };
  const wide = scopes.filter((scope): scope is WideScope => scope !== 'once');

  const leading = (to: Mode | 'list', name: string, className = 'button') => (
    <button
      type="button"
      className={className}
      data-leads={to}
      disabled={isSending}
      onClick={() => (to === 'list' ? onList() : setMode(to))}
    >
      {name}
    </button>
  );

  return (
    <form
      className="modal-form"
      onKeyDown={sendByKeys}
      onSubmit={(event) => {
        event.preventDefault();
        if (mode === 'deny' || mode === 'explain') sayNo(mode);
      }}
    >
      {/* It scrolls, also by the keyboard: what is not read to its end cannot be allowed. */}
      <div ref={body} className="modal-body" role="region" aria-label="The call" tabIndex={0}>
        {!isOver && <FileNotices {...{ seen, comparison }} mayDecide={reader?.may === 'decide'} />}
        {edit && (
          <edit.parts.EditFields
            kind={kind}
            call={edit.call}
            pathOf={(path) => edit.parts.shownPath(edit.call, call.changes, path)}
            onChange={setEdited}
          />
        )}
        <CallCard
          call={call}
          question={question}
          edited={
            edit && {
              args: edit.call.args,
              changes: edit.parts.editedChanges(edit.call, call.changes),
              unclear: edit.parts.editedUnclear(kind, edit.call, call.unclear),
            }
          }
          {...revealing}
        />
        <div ref={end} className="end" />
      </div>
      <FormFoot
        {...{ question, reader, sending, isBegun, onEnded, onClose }}
        isWritten={mode === 'edit' || hasReason(draft)}
        unsent={<UnsentReasons {...{ sayings, draft }} />}
      >
        {mode === 'decide' && (
          <>
            {leading('explain', 'Ask why…')}
            {leading('edit', 'Change it…')}
            {alike > 1 && leading('list', `${alike === 2 ? 'Both' : `All ${alike}`} like it…`)}
            <span className="spring" />
            <ReadHint {...reading} />
            {leading('deny', 'Deny…', 'button danger')}
            <span className="button-pair">
              <button
                type="button"
                className="button"
                aria-disabled={!mayAllow}
                aria-describedby="read-hint"
                onClick={() => approve({})}
              >
                {isSending ? 'Recording…' : 'Allow once'}
              </button>
              {wide.length > 0 && (
                <button
                  type="button"
                  className="button square"
                  data-leads="scope"
                  aria-label="Allow for longer…"
                  aria-disabled={!mayWiden}
                  onClick={() => mayWiden && setMode('scope')}
                >
                  <Icon name="down" />
                </button>
              )}
            </span>
          </>
        )}
        {(mode === 'deny' || mode === 'explain') && (
          <ReasonField
            {...sayings[mode]}
            value={reasonOf(draft, mode)}
            isBusy={isBusy}
            onChange={(reason) => setDraft(withReason(draft, mode, reason))}
            onBack={() => setMode('decide')}
          />
        )}
        {mode === 'edit' && (
          <EditButtons
            kind={kind}
            editing={editing}
            isReady={mayAllow}
            isSending={isSending}
            hint={<ReadHint {...reading} />}
            onChange={setEdited}
            onSend={(changed) => approve({ edit: changed })}
            onBack={() => setMode('decide')}
          />
        )}
        {mode === 'scope' && (
          <ScopeChoice
            call={call}
            scopes={wide}
            isReady={mayAllow}
            onSend={(scope) => approve({ scope })}
            back={<BackButton onBack={() => setMode('decide')} />}
            hint={<ReadHint {...reading} />}
          />
        )}
      </FormFoot>
    </form>
  );
}
