import { useId, useState } from 'react';
import type { SentTask } from '../../api/sprint.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Modal } from '../parts/modal.tsx';
import { sendByKeys } from '../parts/send-by-keys.ts';
import { SendKeys } from '../parts/send-keys.tsx';
import { askingOf } from './asking.ts';
import { isFinal, type AskedAct } from './said-acts.ts';

type AskFirstProps = {
  readonly act: AskedAct;
  /** What it is called. */
  readonly name: string;
  /** The task or sprint that it is done to, as its own words have it. */
  readonly what: string;
  /** `undefined`: it is done to a sprint. */
  readonly task: SentTask | undefined;
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onSend: (words: object) => void;
};

/** Asks before something is done that is not done lightly, and for the words that go with it. */
export function AskFirst({ act, name, what, task, isBusy, onBack, onSend }: AskFirstProps) {
  const id = useId();
  const { title = name, about, words } = askingOf(act, task);
  const [text, setText] = useState('');
  const typed = text.trim();
  const isReady = !isBusy && (words?.isRequired !== true || typed !== '');
  return (
    <Modal labelledBy={`${id}-title`} className="small-modal" onClose={onBack}>
      <form
        className="modal-form"
        onKeyDown={sendByKeys}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          onSend(words && typed !== '' ? { [words.field]: typed } : {});
        }}
      >
        <div className="modal-body">
          <h2 id={`${id}-title`}>
            {title} “<AgentLine text={what} />”{!words?.isRequired && '?'}
          </h2>
          <p className="muted">{about}</p>
          {words && (
            <>
              <label className="label" htmlFor={id}>
                {words.label}
              </label>
              <textarea
                id={id}
                data-first
                className="field"
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            </>
          )}
        </div>
        <footer className="modal-foot">
          <div className="modal-buttons">
            <button type="button" className="button plain" onClick={onBack}>
              Back
            </button>
            <span className="spring" />
            <button
              type="submit"
              className={isFinal(act) ? 'button danger' : 'button first'}
              disabled={!isReady}
            >
              {name} <SendKeys />
            </button>
          </div>
        </footer>
      </form>
    </Modal>
  );
}
