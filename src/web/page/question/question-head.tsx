import type { QuestionHead as HeadOfQuestion, SentQuestion } from '../../api/question.ts';
import { nobodyWaitsText } from '../../../views/requests/nobody-waits.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Ago } from '../parts/ago.tsx';
import { Icon } from '../parts/icon.tsx';
import { AskedTask } from './asked-task.tsx';
import { RiskBadge } from './risk-badge.tsx';

/** Which of several it is, from 0. */
export type PositionInList = { readonly at: number; readonly of: number };

type QuestionHeadProps = {
  /** The id of its heading. */
  readonly heading: string;
  /** `undefined`: it is not read yet, or there is none. */
  readonly question: SentQuestion | undefined;
  /** What the list of those that wait has of it meanwhile. */
  readonly listed: HeadOfQuestion | undefined;
  /** `undefined`: it is alone, or waits no more. */
  readonly place: PositionInList | undefined;
  /** `undefined`: nobody leaves it while something about it is recorded. */
  readonly onStep: ((step: -1 | 1) => void) | undefined;
  /** What the button is called that closes it. */
  readonly closeName: string;
  readonly onClose: () => void;
};

/** What is asked, by whom and since when, which of those that wait it is, and the way out. */
export function QuestionHead({
  heading,
  question,
  listed,
  place,
  onStep,
  closeName,
  onClose,
}: QuestionHeadProps) {
  const about = question ?? listed;
  return (
    <header className="modal-head">
      <div className="modal-title">
        <h2
          id={heading}
          className={about?.kind === 'approval' ? undefined : 'label'}
          tabIndex={-1}
          data-first
        >
          {question ? <Title question={question} /> : 'Question'}
        </h2>
        {/* What steps to others stays where it is, while this is read. */}
        {about && <Asked about={about} />}
      </div>
      {place && <Steps place={place} onStep={onStep} />}
      <button type="button" className="button plain square" aria-label={closeName} onClick={onClose}>
        <Icon name="close" />
      </button>
    </header>
  );
}

function Steps({
  place: { at, of },
  onStep,
}: { readonly place: PositionInList } & Pick<QuestionHeadProps, 'onStep'>) {
  return (
    <div className="modal-steps">
      <button
        type="button"
        className="button plain square"
        aria-label="The one before"
        disabled={!onStep || at === 0}
        onClick={() => onStep?.(-1)}
      >
        <Icon name="back" />
      </button>
      <span className="label number">
        request {at + 1} of {of}
      </span>
      <button
        type="button"
        className="button plain square"
        aria-label="The next one"
        disabled={!onStep || at === of - 1}
        onClick={() => onStep?.(1)}
      >
        <Icon name="on" />
      </button>
    </div>
  );
}

function Title({ question: { call, kind, questions = [] } }: { readonly question: SentQuestion }) {
  if (!call && questions.length > 1) return `${questions.length} questions`;
  if (!call) return kind === 'prompt' ? 'A program waits for input' : 'A question';
  if (call.agent === undefined)
    return (
      <>
        Call <AgentLine text={`${call.server}/`} />
        <wbr />
        <AgentLine text={call.tool} />?
      </>
    );
  return call.tool === 'execute'
    ? 'Run a command?'
    : call.changes.some(({ how }) => how !== 'name')
      ? 'Change files?'
      : 'Allow this?';
}

type AskedProps = {
  readonly about: HeadOfQuestion & Partial<Pick<SentQuestion, 'phase' | 'parkedSince' | 'closing'>>;
};

function Asked({ about }: AskedProps) {
  const { asker, task, sprint, askedAt, kind, phase, isAwaited, parkedSince, closing } = about;
  const isCall = kind === 'approval';
  const state = useStore(useSession().state);
  const among = state?.list === undefined ? undefined : state.project;
  const isLeft = phase === 'open' && !isAwaited && parkedSince === undefined;
  return (
    <p className="asked-by">
      {/* That it is a question its title says. */}
      {isCall && <RiskBadge of={about} />}
      <span className="asked-who dotted">
        <span>
          {'From '}
          <AgentLine text={asker} />
          {task !== undefined && (
            <>
              {' about '}
              <AskedTask sprint={sprint} task={task} />
            </>
          )}
          {sprint !== 'adhoc' && (
            <>
              {' in '}
              <AgentLine text={state?.sprints.find(({ id }) => id === sprint)?.name ?? sprint} />
            </>
          )}
          {among !== undefined && (
            <>
              {' of '}
              <AgentLine text={among} />
            </>
          )}
        </span>
        {!closing && (
          <span className="asked-for">
            {isLeft ? 'asked ' : 'waits '}
            <Ago since={askedAt} />
            {isLeft && ' ago'}
          </span>
        )}
      </span>
      {isLeft && <span className="asked-left">No agent waits: {nobodyWaitsText({ sprint, isCall })}</span>}
    </p>
  );
}
