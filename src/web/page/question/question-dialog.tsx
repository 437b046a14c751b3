import { useEffect, useId } from 'react';
import type { SentQuestion } from '../../api/question.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Ago } from '../parts/ago.tsx';
import { Icon } from '../parts/icon.tsx';
import { Modal } from '../parts/modal.tsx';
import { Notice } from '../parts/notice.tsx';
import { AnswerForm } from './answer-form.tsx';
import { CallForms } from './call/call-forms.tsx';
import { RiskBadge } from './risk-badge.tsx';
import { useQuestion } from './use-question.ts';

type Place = { readonly at: number; readonly of: number };

type QuestionDialogProps = {
  readonly id: string;
  /** Which of those that wait it is, from 0; `undefined`: it is alone, or waits no more. */
  readonly place: Place | undefined;
  /** Goes to the one before it, or behind it. */
  readonly onStep: (step: -1 | 1) => void;
  /** It was recorded, also of others that were decided on with it. */
  readonly onDone: (text: string, also?: readonly string[]) => void;
  /** It is put aside, and stays open. */
  readonly onClose: () => void;
};

/** A request that waits, over the sprint that it is about. */
export function QuestionDialog({ id, place, onStep, onDone, onClose }: QuestionDialogProps) {
  const heading = useId();
  const question = useQuestion(id);
  return (
    <Modal labelledBy={heading} className="question-modal" onClose={onClose}>
      <header className="modal-head">
        <div className="modal-title">
          <h2 id={heading} tabIndex={-1} data-first>
            {typeof question === 'object' ? <Title question={question} /> : 'Question'}
          </h2>
          {typeof question === 'object' && <Asked question={question} />}
        </div>
        {place && <Steps place={place} onStep={onStep} />}
        <button type="button" className="button plain square" aria-label="Later (Escape)" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {question === undefined && <div className="modal-body muted">Reading it…</div>}
      {question === 'missing' && (
        <div className="modal-body">
          <Notice tone="calm" icon="info">
            There is no such question, or no such question any more.
          </Notice>
        </div>
      )}
      {typeof question === 'object' && <Answering question={question} onDone={onDone} onClose={onClose} />}
    </Modal>
  );
}

function Steps({
  place: { at, of },
  onStep,
}: { readonly place: Place } & Pick<QuestionDialogProps, 'onStep'>) {
  return (
    <div className="modal-steps">
      <button
        type="button"
        className="button plain square"
        aria-label="The one before"
        disabled={at === 0}
        onClick={() => onStep(-1)}
      >
        <Icon name="back" />
      </button>
      <span className="label number">
        {at + 1} of {of}
      </span>
      <button
        type="button"
        className="button plain square"
        aria-label="The next one"
        disabled={at === of - 1}
        onClick={() => onStep(1)}
      >
        <Icon name="on" />
      </button>
    </div>
  );
}

function Title({ question: { call, kind } }: { readonly question: SentQuestion }) {
  if (!call) return kind === 'prompt' ? 'A program waits for input' : 'A question';
  if (call.agent === undefined) return <>Call {<AgentLine text={`${call.server}/${call.tool}`} />}?</>;
  return call.tool === 'execute'
    ? 'Run a command?'
    : call.changes.length > 0
      ? 'Change files?'
      : 'Allow this?';
}

function Asked({ question }: { readonly question: SentQuestion }) {
  const { asker, task, sprint, askedAt, kind, risk, riskText } = question;
  return (
    <p className="asked-by">
      <RiskBadge risk={risk} kind={kind} text={riskText} />
      <span>
        <AgentLine text={asker} />
        {task !== undefined && (
          <>
            {' about '}
            <AgentLine text={task} />
          </>
        )}
        {sprint !== 'adhoc' && (
          <>
            {' in '}
            <AgentLine text={sprint} />
          </>
        )}
      </span>
      <span aria-hidden="true">·</span>
      <span>
        for <Ago since={askedAt} />
      </span>
    </p>
  );
}

type AnsweringProps = Pick<QuestionDialogProps, 'onDone' | 'onClose'> & { readonly question: SentQuestion };

function Answering({ question, onDone, onClose }: AnsweringProps) {
  const { state } = useSession();
  const reader = useStore(state)?.reader;
  const { id, closing } = question;
  useEffect(() => {
    if (closing) document.querySelector<HTMLElement>('.question-modal .button.first')?.focus();
  }, [closing]);
  const Form = question.call ? CallForms : AnswerForm;
  // With the next one nothing is left of what was done to this one.
  return <Form key={id} question={question} reader={reader} onDone={onDone} onClose={onClose} />;
}
