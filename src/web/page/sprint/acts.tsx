import { useId, useState } from 'react';
import { inOneLine } from '../../../errors.ts';
import type { SentSprint, SentTask } from '../../api/sprint.ts';
import { ApiError, type Act } from '../connection/api.ts';
import { useSession } from '../context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Modal } from '../parts/modal.tsx';
import { sendByKeys } from '../parts/send-by-keys.ts';
import { tell } from '../shell/toasts.tsx';

type Said = { readonly name: string; readonly icon: IconName; readonly asks?: Asking };

/** What is asked before it is done. */
type Asking = {
  readonly title: string;
  readonly about: string;
  /** The name of the words that go with it. */
  readonly words:
    | { readonly field: 'reason' | 'text'; readonly label: string; readonly isRequired: boolean }
    | undefined;
};

const reason = { field: 'reason', label: 'Why, if you like', isRequired: false } as const;

const sprintActs: Readonly<Record<SentSprint['acts'][number], Said>> = {
  pause: { name: 'Pause', icon: 'pause' },
  resume: { name: 'Resume', icon: 'play' },
  stop: {
    name: 'Stop the run',
    icon: 'stop',
    asks: {
      title: 'Stop the run?',
      about: 'Its agents are ended. A later run goes on where they were.',
      words: undefined,
    },
  },
  cancel: {
    name: 'Cancel the sprint',
    icon: 'close',
    asks: {
      title: 'Cancel this sprint?',
      about: 'It ends for good, and all of its tasks with it.',
      words: reason,
    },
  },
};

const taskActs: Readonly<Record<SentTask['acts'][number], Said>> = {
  note: {
    name: 'Tell the agent',
    icon: 'note',
    asks: {
      title: 'Tell the agent something',
      about: 'It hears it as soon as it can be told.',
      words: { field: 'text', label: 'What', isRequired: true },
    },
  },
  retry: { name: 'Try again', icon: 'retry' },
  skip: {
    name: 'Skip',
    icon: 'skip',
    asks: { title: 'Skip this task?', about: 'It counts as done, without being done.', words: reason },
  },
  cancel: {
    name: 'Cancel the task',
    icon: 'close',
    asks: {
      title: 'Cancel this task?',
      about: 'Its agent is ended, and nobody works on it any more.',
      words: reason,
    },
  },
};

/** What can be done to a sprint now. */
export function SprintActs({ sprint: { id, acts, hasRunner } }: { readonly sprint: SentSprint }) {
  // Where nobody runs it, there is nothing that would pause.
  const useful = acts.filter((act) => act !== 'pause' || hasRunner);
  return <Acts sprint={id} acts={useful.map((act) => ({ act, said: sprintActs[act] }))} />;
}

/** What can be done to a task now. */
export function TaskActs({
  sprint,
  task: { id, acts },
}: {
  readonly sprint: string;
  readonly task: SentTask;
}) {
  return <Acts sprint={sprint} task={id} acts={acts.map((act) => ({ act, said: taskActs[act] }))} />;
}

type ActsProps = {
  readonly sprint: string;
  readonly task?: string;
  readonly acts: readonly { readonly act: Act; readonly said: Said }[];
};

function Acts({ sprint, task, acts }: ActsProps) {
  const { api } = useSession();
  const [asked, setAsked] = useState<Act>();
  const [isBusy, setBusy] = useState(false);
  const send = async (act: Act, words: object) => {
    setBusy(true);
    try {
      const { text } = await api.act(sprint, act, { ...(task === undefined ? {} : { task }), ...words });
      tell(text);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell(inOneLine(error), { isBad: true });
    } finally {
      setBusy(false);
      setAsked(undefined);
    }
  };
  const asking = acts.find(({ act }) => act === asked)?.said.asks;
  const button = ({ act, said: { name, icon, asks } }: ActsProps['acts'][number]) => (
    <button
      key={act}
      type="button"
      className={isFinal(act) ? 'button danger' : 'button'}
      disabled={isBusy}
      onClick={() => (asks ? setAsked(act) : void send(act, {}))}
    >
      <Icon name={icon} />
      {name}
    </button>
  );
  if (acts.length === 0) return null;
  const seldom = acts.filter(({ act }) => isFinal(act) || act === 'skip');
  return (
    <div className="acts">
      {acts.filter((each) => !seldom.includes(each)).map(button)}
      {seldom.length > 0 && <Menu name="More to do">{seldom.map(button)}</Menu>}
      {asked !== undefined && asking && (
        <AskFirst
          asking={asking}
          isDanger={isFinal(asked)}
          isBusy={isBusy}
          onBack={() => setAsked(undefined)}
          onSend={(words) => void send(asked, words)}
        />
      )}
    </div>
  );
}

/** It ends something. */
function isFinal(act: Act): boolean {
  return act === 'cancel' || act === 'stop';
}

type AskFirstProps = {
  readonly asking: Asking;
  readonly isDanger: boolean;
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onSend: (words: object) => void;
};

function AskFirst({ asking: { title, about, words }, isDanger, isBusy, onBack, onSend }: AskFirstProps) {
  const id = useId();
  const [text, setText] = useState('');
  const said = text.trim();
  const isReady = !isBusy && (words?.isRequired !== true || said !== '');
  return (
    <Modal labelledBy={`${id}-title`} className="small-modal" onClose={onBack}>
      <form
        className="modal-form"
        onKeyDown={sendByKeys}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady) return;
          onSend(words && said !== '' ? { [words.field]: said } : {});
        }}
      >
        <div className="modal-body">
          <h2 id={`${id}-title`}>{title}</h2>
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
            <button type="submit" className={isDanger ? 'button danger' : 'button first'} disabled={!isReady}>
              {title.replace(/\?$/, '')}
            </button>
          </div>
        </footer>
      </form>
    </Modal>
  );
}
