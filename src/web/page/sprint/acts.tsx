import { useState } from 'react';
import { inOneLine } from '../../../errors.ts';
import type { SentSprint, SentTask } from '../../api/sprint.ts';
import type { Act } from '../connection/api.ts';
import { ApiError } from '../connection/api-error.ts';
import { useSession } from '../context.ts';
import { focusMain } from '../parts/focus-main.ts';
import { Icon } from '../parts/icon.tsx';
import { later } from '../parts/later.tsx';
import { Menu } from '../parts/menu.tsx';
import { forgetTold, tell } from '../shell/toasts.tsx';
import { isAsked, isFinal, sprintActs, taskActs, type AskedAct, type Said } from './said-acts.ts';

const AskFirst = later(async () => (await import('./ask-first.tsx')).AskFirst, 'What it takes');

/** What can be done to a sprint now. */
export function SprintActs({ sprint: { id, name, acts, hasRunner, word } }: { readonly sprint: SentSprint }) {
  // Where nobody runs it, there is nothing that would pause; while it goes on, each task that failed has its own.
  const useful = acts.filter(
    (act) => (act !== 'pause' || hasRunner) && (act !== 'retry' || word === 'failed'),
  );
  return <Acts sprint={id} name={name} acts={useful.map((act) => ({ act, said: sprintActs[act] }))} />;
}

/** What can be done to a task now. */
export function TaskActs({ sprint, task }: { readonly sprint: string; readonly task: SentTask }) {
  const { id, title, acts } = task;
  return (
    <Acts
      sprint={sprint}
      task={task}
      name={title === '' ? id : title}
      acts={acts.map((act) => ({ act, said: taskActs[act] }))}
    />
  );
}

type ActsProps = {
  readonly sprint: string;
  readonly task?: SentTask;
  /** Of what is acted on. */
  readonly name: string;
  readonly acts: readonly { readonly act: Act; readonly said: Said }[];
};

function Acts({ sprint, task, name: what, acts }: ActsProps) {
  const { api } = useSession();
  const [asked, setAsked] = useState<AskedAct>();
  const [isBusy, setBusy] = useState(false);
  const send = async (act: Act, words: object) => {
    const pressed = document.activeElement;
    let isDone = true;
    setBusy(true);
    try {
      const { text } = await api.act(sprint, act, { ...(task && { task: task.id }), ...words });
      tell(text);
      setAsked(undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isDone = false;
      tell(inOneLine(error), { isBad: true });
    } finally {
      setBusy(false);
      // A button that cannot be pressed meanwhile loses the keyboard, and what was done may take it away.
      if (!isAsked(act) && document.activeElement?.matches('body, .acts *'))
        if (isDone) focusMain();
        else requestAnimationFrame(() => pressed instanceof HTMLElement && pressed.focus());
    }
  };
  const ask = (act: AskedAct) => {
    // What was said of another one would stand in what asks about this one.
    forgetTold();
    setAsked(act);
  };
  const said = acts.find(({ act }) => act === asked)?.said;
  const button = ({ act, said: { name, icon } }: ActsProps['acts'][number]) => (
    <button
      key={act}
      type="button"
      className={isFinal(act) ? 'button danger' : 'button'}
      disabled={isBusy}
      onClick={() => (isAsked(act) ? ask(act) : void send(act, {}))}
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
      {asked !== undefined && said && (
        <AskFirst
          act={asked}
          name={said.name}
          what={what}
          task={task}
          isBusy={isBusy}
          onBack={() => setAsked(undefined)}
          onSend={(words) => void send(asked, words)}
        />
      )}
    </div>
  );
}
