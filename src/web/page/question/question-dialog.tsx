import { useEffect, useId, useState } from 'react';
import type { SentQuestion } from '../../api/question.ts';
import { noReply } from '../connection/api-error.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { later } from '../parts/later.tsx';
import { Modal } from '../parts/modal.tsx';
import { Notice } from '../parts/notice.tsx';
import { AnswerForm } from './answer-form.tsx';
import { CallForms } from './call/call-forms.tsx';
import type { FormProps } from './form-foot.tsx';
import { QuestionHead, type PositionInList } from './question-head.tsx';
import { WhileSending, type Unsent } from './use-decision.ts';
import { useQuestion, type ReadQuestion } from './use-question.ts';

const Beside = later(async () => (await import('./beside.tsx')).Beside, 'What is asked');

type QuestionDialogProps = {
  readonly id: string;
  /** It stands beside what is looked at, and keeps nobody from it: who looks on cannot decide. */
  readonly isBeside: boolean;
  /** Which of those that wait it is, from 0; `undefined`: it is alone, or waits no more. */
  readonly place: PositionInList | undefined;
  /** Goes to the one before it, or behind it. */
  readonly onStep: (step: -1 | 1) => void;
  /** It was recorded, also of others that were decided on with it. */
  readonly onDone: (text: string, also?: readonly string[]) => void;
  /** Somebody else was first with it, or it was sent from here and the reply was lost. */
  readonly onEnded: FormProps['onEnded'];
  /** It is put aside, and stays open. */
  readonly onClose: () => void;
  /** What was sent about it before it was put aside was not recorded, nobody knows, or somebody was first. */
  readonly onEndedLater: (outcome: Unsent) => void;
};

/** What it was when something was sent about it. */
type Held = Pick<QuestionDialogProps, 'place'> & {
  readonly read: ReadQuestion;
  readonly sent: AbortController;
};

/** So long behind what closes a request the reply to what was sent about it is waited for, in ms: it says what follows. */
const REPLY_MS = 3_000;

/** A request that waits, over the sprint that it is about, or beside it. */
export function QuestionDialog({
  id,
  isBeside,
  place: placeNow,
  onStep,
  onClose,
  onEndedLater,
  ...ends
}: QuestionDialogProps) {
  const heading = useId();
  const readNow = useQuestion(id);
  // What was sent may close it before its reply says who was first.
  const [held, setHeld] = useState<Held>();
  const sent = held?.sent;
  const isOver = typeof readNow === 'object' && readNow.closing !== undefined;
  useEffect(() => {
    if (!sent || !isOver) return;
    const timer = setTimeout(() => sent.abort(noReply()), REPLY_MS);
    return () => clearTimeout(timer);
  }, [sent, isOver]);
  const { read, place } = held ?? { read: readNow, place: placeNow };
  const question = typeof read === 'object' ? read : undefined;
  const listed = useStore(useSession().state)?.questions.find((each) => each.id === id);
  const closeName = isBeside ? 'Close (Escape)' : 'Later (Escape)';
  const content = (
    <>
      <QuestionHead
        {...{ heading, question, listed, place, closeName, onClose }}
        onStep={held ? undefined : onStep}
      />
      {read === undefined && <div className="modal-body muted">Reading it…</div>}
      {read === 'missing' && (
        <div className="modal-body">
          <Notice tone="calm" icon="info">
            Nobody asks this here, or not any more: it may be of another project, or be over for long.
          </Notice>
        </div>
      )}
      {question && (
        <WhileSending
          value={{
            onSending: (sending) => setHeld(sending && { read, place, sent: sending }),
            onEndedLater,
          }}
        >
          <Answering question={question} onClose={onClose} {...ends} />
        </WhileSending>
      )}
    </>
  );
  return isBeside ? (
    <Beside labelledBy={heading} onClose={onClose}>
      {content}
    </Beside>
  ) : (
    <Modal labelledBy={heading} className="question-modal" onClose={onClose}>
      {content}
    </Modal>
  );
}

type AnsweringProps = Pick<QuestionDialogProps, 'onDone' | 'onEnded' | 'onClose'> & {
  readonly question: SentQuestion;
};

function Answering({ question, ...ends }: AnsweringProps) {
  const { state } = useSession();
  const reader = useStore(state)?.reader;
  const { id, closing } = question;
  useEffect(() => {
    if (closing) document.querySelector<HTMLElement>('.question-modal .button.first')?.focus();
  }, [closing]);
  const Form = question.call ? CallForms : AnswerForm;
  // With the next one nothing is left of what was done to this one.
  return <Form key={id} question={question} reader={reader} {...ends} />;
}
