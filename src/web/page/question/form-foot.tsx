import type { ReactNode } from 'react';
import { answererText, viaText } from '../../../events/answerer.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import type { Closing, SentQuestion } from '../../api/question.ts';
import type { Reader } from '../../api/state.ts';
import { AgentText } from '../parts/agent-text.tsx';
import { Notice } from '../parts/notice.tsx';
import { ConnectionNotice } from '../shell/connection-notice.tsx';
import type { Sending } from './use-decision.ts';

/** What every form about a request is given. */
export type FormProps = {
  readonly question: SentQuestion;
  /** `undefined`: not known yet. */
  readonly reader: Reader | undefined;
  /** @param also - Others that were decided on with it, by their ids. */
  readonly onDone: (text: string, also?: readonly string[]) => void;
  readonly onClose: () => void;
};

type FootProps = {
  readonly question: Pick<SentQuestion, 'closing'>;
  readonly reader: Reader | undefined;
  readonly sending: Sending;
  readonly onClose: () => void;
  /** Where it can be decided: the buttons. */
  readonly children: ReactNode;
};

/** Who was first with a question, and what they said. */
function Closed({ closing: { by, via, did, response, at } }: { readonly closing: Closing }) {
  return (
    <>
      <strong>
        <AgentText text={answererText(by)} /> was first
      </strong>
      {`: ${did} ${viaText(via)}${at === undefined ? '' : `, ${clockTime(at)}`}`}
      {response !== undefined && response !== '' && (
        <>
          {': '}
          <AgentText text={response} />
        </>
      )}
    </>
  );
}

/** The lower end of a form: what became of what was sent, and what can be done. */
export function FormFoot({ question, reader, sending, onClose, children }: FootProps) {
  const closing = sending.is === 'late' ? sending.closing : question.closing;
  const mayDecide = reader?.may !== 'read';
  return (
    <footer className="modal-foot">
      <ConnectionNotice />
      {closing && sending.is !== 'done' && (
        <Notice tone="calm" icon="info" isUrgent>
          <Closed closing={closing} />
        </Notice>
      )}
      {!closing && sending.is === 'failed' && (
        <Notice tone="bad" icon="warning" isUrgent>
          <strong>{sending.message}.</strong> {sending.fix}
        </Notice>
      )}
      {!closing && !mayDecide && (
        <Notice tone="calm" icon="lock">
          {reader?.whyNot ?? 'You look at this with a key that reads only: somebody else answers.'}
        </Notice>
      )}
      <div className="modal-buttons">
        {closing || !mayDecide ? (
          <button type="button" className="button first" onClick={onClose}>
            Close
          </button>
        ) : (
          children
        )}
      </div>
    </footer>
  );
}
