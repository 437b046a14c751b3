import { useRef, useState } from 'react';
import { formHeading } from '../../../events/form/form-heading.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { scrollBehavior } from '../parts/scroll-behavior.ts';
import { useKeys } from '../parts/use-keys.ts';
import { SendKeys } from '../parts/send-keys.tsx';
import { AgentText } from '../parts/agent-text.tsx';
import { useOffline } from '../shell/use-offline.ts';
import { FormFoot, type FormProps } from './form-foot.tsx';
import { hasReason, reasonOf, withReason } from './draft.ts';
import { answerOf, answersOf, choose, isSaid, partAt, questionsOf, withPart } from './form-question.ts';
import { MissingHint } from './missing-hint.tsx';
import { QuestionFields } from './question-fields.tsx';
import { ReasonField, UnsentReasons, type Saying } from './reason-field.tsx';
import { useArming } from './use-arming.ts';
import { useDecision } from './use-decision.ts';
import { useDraft } from './use-draft.ts';
import { useWayBack } from './use-way-back.ts';

/** What the reader is about to say. */
type Mode = 'answer' | 'reject' | 'rephrase' | 'dismiss';

const sayings: Readonly<Record<Exclude<Mode, 'answer'>, Saying>> = {
  reject: { label: 'Why it is rejected', button: 'Reject', isRequired: true, isNo: true },
  rephrase: { label: 'What is not clear, if you like', button: 'Ask to rephrase' },
  dismiss: { label: 'Why, if you like', button: 'Dismiss', isNo: true },
};

/** What follows of it, also where its next attempt is told. A server of MCP hears only that it gets no answer. */
const notes: Readonly<Record<Exclude<Mode, 'answer'>, string>> = {
  reject: 'An agent that asks is told why, and not to ask it again as it is.',
  rephrase: 'Nothing is decided: an agent that asks is told to ask it in other words.',
  dismiss: 'An agent that asks is told that there is no answer, and to go on without one.',
};

/** The same at a program's prompt. */
const programNotes: Partial<Record<Mode, string>> = {
  reject: 'Nothing is typed: it ends the attempt, and the next one is told why.',
  dismiss: 'Nothing is typed, and nobody is told: the program is left as it is.',
};

/** A question, or several, and what can be said to it. */
export function AnswerForm({ question, reader, onDone, onEnded, onClose }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { id, kind, reason, context, earlierAnswer, closing, secret } = question;
  const isProgram = kind === 'prompt';
  const [draft, setDraft] = useDraft(
    question,
    isProgram ? 'nothing' : secret === undefined ? 'all' : 'choices',
  );
  const [mode, setMode] = useState<Mode>('answer');
  // It was to be sent before all of it was answered.
  const [isTried, setTried] = useState(false);
  useWayBack(mode, 'answer');
  const [sending, send] = useDecision(id, onDone);
  const isSending = sending.is === 'sending';
  const isOffline = useOffline();
  const isArmed = useArming(`${id} ${mode}`);
  const questions = questionsOf(question);
  const isForm = question.questions !== undefined;
  const isOver =
    closing !== undefined || sending.is === 'late' || sending.is === 'done' || reader?.may === 'read';
  const isHeld = isSending || isOffline;
  const isBusy = isHeld || !isArmed;
  const missing = questions.flatMap(({ isRequired, title }, at) =>
    isRequired && !isSaid(partAt(draft, at)) ? [{ at, title }] : [],
  );
  const isKeyAlone = isProgram && missing.length === 0 && !isSaid(partAt(draft, 0));
  const isBegun = hasReason(draft) || draft.parts.some(isSaid);
  const answered =
    closing?.option === undefined || isBegun
      ? draft
      : withPart(draft, 0, { chosen: [closing.option], words: '' });
  const goToMissing = (at: number) => {
    setTried(true);
    leadTo(form.current, at);
  };

  const submit = () => {
    // To have it rephrased decides on nothing: who sends that with the keys has chosen it. Its button waits, for who presses twice.
    if (isOver || (mode === 'rephrase' ? isHeld : isBusy)) return;
    if (mode === 'answer') {
      const [first] = questions;
      if (missing[0]) return goToMissing(missing[0].at);
      if (!first) return;
      return send(
        'answer',
        isForm ? { answers: answersOf(questions, draft) } : answerOf(first, partAt(draft, 0)),
      );
    }
    const said = reasonOf(draft, mode).trim();
    if (sayings[mode].isRequired && said === '') return;
    send(mode, said === '' ? {} : { reason: said });
  };

  // Wherever in the dialog the keyboard is.
  useKeys((event) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      return submit();
    }
    const [first] = questions;
    const isTyping = isTextField(event.target);
    const at = Number(event.key) - 1;
    if (isTyping || isOver || !isArmed || mode !== 'answer' || questions.length !== 1 || !first?.options[at])
      return;
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    setDraft(withPart(draft, 0, choose(partAt(draft, 0), at, first.isMultiple)));
  });

  const about = (
    <>
      {reason !== undefined && reason !== question.question && <Said label="Why it asks" text={reason} />}
      {context !== undefined && (
        <Said label="Context" text={context} is={isProgram ? 'output' : 'markdown'} />
      )}
      {earlierAnswer !== undefined && <Said label="You answered before" text={earlierAnswer} />}
    </>
  );
  const leading = (to: Mode, name: string) => (
    <button type="button" className="button" data-leads={to} disabled={isSending} onClick={() => setMode(to)}>
      {name}
    </button>
  );
  return (
    <form
      ref={form}
      className="modal-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {/* Where nothing in it can be pressed, the keys scroll it itself. */}
      <div className="modal-body" role="region" aria-label="What is asked" tabIndex={isOver ? 0 : -1}>
        {isForm && question.question !== formHeading(question.questions ?? []) && (
          <div className="asked-text">
            <Markdown text={question.question} />
          </div>
        )}
        {isForm && about}
        <QuestionFields
          questions={questions}
          about={isForm ? undefined : about}
          draft={answered}
          isSent={isTried}
          isDisabled={isOver}
          onDraft={setDraft}
        />
      </div>
      <FormFoot
        {...{ question, reader, sending, isBegun, onEnded, onClose }}
        unsent={<UnsentReasons {...{ sayings, draft }} />}
      >
        {mode === 'answer' ? (
          <>
            {leading('reject', 'Reject…')}
            {/* A program has no other words. */}
            {!isProgram && leading('rephrase', 'Rephrase…')}
            {leading('dismiss', 'Dismiss…')}
            <span className="spring" />
            {isForm && <MissingHint missing={missing} onGo={goToMissing} />}
            <button
              type="submit"
              className="button first"
              disabled={isBusy}
              aria-disabled={missing.length > 0}
              aria-describedby={isForm ? 'missing-hint' : undefined}
            >
              {isSending ? 'Recording…' : isKeyAlone ? 'Press Enter' : 'Answer'} <SendKeys />
            </button>
          </>
        ) : (
          <ReasonField
            {...sayings[mode]}
            note={isProgram ? programNotes[mode] : notes[mode]}
            value={reasonOf(draft, mode)}
            isBusy={isBusy}
            onChange={(text) => setDraft(withReason(draft, mode, text))}
            onBack={() => setMode('answer')}
          />
        )}
      </FormFoot>
    </form>
  );
}

/** To a question, so that it is read from its beginning and can be answered at once. */
function leadTo(form: HTMLFormElement | null, at: number): void {
  const asked = form?.querySelector(`[data-question="${at}"]`);
  asked?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  asked?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
}

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}

type SaidProps = {
  readonly label: string;
  readonly text: string;
  /** `output`: of a program. */
  readonly is?: 'text' | 'markdown' | 'output';
};

function Said({ label, text, is = 'text' }: SaidProps) {
  return (
    <div className="said">
      <p className="label">{label}</p>
      {is === 'markdown' && <Markdown text={text.trim()} />}
      {is === 'text' && <AgentText text={text.trim()} />}
      {is === 'output' && (
        <pre className="said-output" tabIndex={0} ref={toEnd}>
          <AgentText text={text.trimEnd()} />
        </pre>
      )}
    </div>
  );
}

/** What a program wrote last is what it asks about. */
function toEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}
