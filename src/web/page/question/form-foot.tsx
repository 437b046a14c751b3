import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { answererText } from '../../../events/answerer.ts';
import type { Closing, SentQuestion } from '../../api/question.ts';
import type { Reader } from '../../api/state.ts';
import { AgentText } from '../parts/agent-text.tsx';
import { Notice } from '../parts/notice.tsx';
import { ConnectionNotice } from '../shell/connection-notice.tsx';
import { howClosed, isReaders, saidOf } from './how-closed.ts';
import type { Sending } from './use-decision.ts';

/** What every form about a request is given. */
export type FormProps = {
  readonly question: SentQuestion;
  /** `undefined`: not known yet. */
  readonly reader: Reader | undefined;
  /** @param also - Others that were decided on with it, by their ids. */
  readonly onDone: (text: string, also?: readonly string[]) => void;
  /** Somebody else was first with it, and nothing was written to it here; or it was sent from here, and the reply was lost. */
  readonly onEnded: (closing: Closing, how: { readonly isOwn: boolean }) => void;
  readonly onClose: () => void;
};

type FootProps = {
  readonly question: Pick<SentQuestion, 'closing'>;
  readonly reader: Reader | undefined;
  readonly sending: Sending;
  /** Something was written or chosen that was not sent: whoever did so is not taken away from it. */
  readonly isBegun: boolean;
  /** Some of it are words. Default: where it was begun. */
  readonly isWritten?: boolean;
  readonly onEnded: FormProps['onEnded'];
  readonly onClose: () => void;
  /** What was written into the foot itself, where it cannot be sent any more. */
  readonly unsent: ReactNode;
  /** Where it can be decided: the buttons. */
  readonly children: ReactNode;
};

/** Who was first with a question, and what they said. `isOwn`: it was recorded as the reader's own word. */
function Closed({ closing, isOwn }: { readonly closing: Closing; readonly isOwn: boolean }) {
  const said = saidOf(closing);
  return (
    <>
      <strong>
        {isOwn ? (
          'Recorded'
        ) : (
          <>
            <AgentText text={answererText(closing.by)} /> was first
          </>
        )}
      </strong>
      {`: ${isOwn ? 'you ' : ''}${howClosed(closing)}`}
      {said !== '' && (
        <>
          {': '}
          <AgentText text={said} />
        </>
      )}
    </>
  );
}

/** The lower end of a form: what became of what was sent, and what can be done. */
export function FormFoot({
  question,
  reader,
  sending,
  isBegun,
  isWritten = isBegun,
  onEnded,
  onClose,
  unsent,
  children,
}: FootProps) {
  const closing = sending.is === 'late' ? sending.closing : question.closing;
  const wasLost = (sending.is === 'failed' || sending.is === 'late') && sending.isLost;
  const isFromHere = closing !== undefined && isReaders(closing, reader);
  const isOwn = wasLost && isFromHere;
  const isUntouched = !isBegun && (sending.is === 'none' || sending.is === 'failed');
  const isEnded = (useIsStale(question) && isUntouched) || isOwn;
  const end = useEffectEvent(() => closing && onEnded(closing, { isOwn }));
  useEffect(() => {
    if (isEnded) end();
  }, [isEnded]);
  const mayDecide = reader?.may !== 'read';
  return (
    <footer className="modal-foot">
      <ConnectionNotice />
      {closing && sending.is !== 'done' && !isOwn && (
        <Notice tone="calm" icon="info" isUrgent>
          <Closed closing={closing} isOwn={isFromHere && !isBegun} />
        </Notice>
      )}
      {closing && sending.is !== 'done' && unsent}
      {!closing && sending.is === 'failed' && (
        <Notice tone="bad" icon="warning" isUrgent>
          <strong>{sending.message}.</strong> {sending.fix}
          {isWritten && '. What you wrote is kept here.'}
        </Notice>
      )}
      {!closing && !mayDecide && (
        <Notice tone="calm" icon="lock">
          {reader?.whyNot ?? 'This token only reads: others answer.'}
        </Notice>
      )}
      {mayDecide && (
        <div className="modal-buttons">
          {closing ? (
            <button type="button" className="button first" onClick={onClose}>
              Close
            </button>
          ) : (
            children
          )}
        </div>
      )}
    </footer>
  );
}

/** Whether it was open when it was shown, and is not any more. */
function useIsStale({ closing }: Pick<SentQuestion, 'closing'>): boolean {
  const [wasOpen] = useState(closing === undefined);
  return wasOpen && closing !== undefined;
}
