import { useEffect, useState } from 'react';
import { asItIsNow } from '../../../views/sprints/as-it-is-now.ts';
import type { SentTask } from '../../api/sprint.ts';
import { useSession } from '../context.ts';
import { isHeadingOnly, Markdown } from '../markdown/markdown.tsx';
import { ExactPath } from '../parts/agent-text.tsx';
import { useRead } from '../parts/use-read.ts';
import '../look/task-text.css';

type TaskPaneProps = {
  readonly sprint: string;
  readonly task: SentTask;
  readonly isPast: boolean;
};

/** What a task says. */
export function TaskPane({ sprint, task: { id, title, word, attempt }, isPast }: TaskPaneProps) {
  const { api } = useSession();
  const looks = useLooks();
  const { value, error } = useRead(JSON.stringify([sprint, id, word, attempt, looks]), () =>
    api.task(sprint, id),
  );
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  const { file, text } = value;
  if (text === undefined)
    return (
      <p className="empty muted">
        Its file is not there{isPast && ' now'}: <ExactPath path={file} />
      </p>
    );
  return (
    <article className="task-text">
      <p className="task-file muted">
        <ExactPath path={file} />
        {isPast && asItIsNow}
      </p>
      {text.trim() === '' ? (
        <p className="muted">Its file is empty.</p>
      ) : isHeadingOnly(text, title) ? (
        <p className="muted">Its file says nothing but its title.</p>
      ) : (
        <Markdown text={text} isWrapped heading={title} />
      )}
    </article>
  );
}

/** Counts how often somebody came back to the page: no event tells of a file that a person writes. */
function useLooks(): number {
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setLooks((before) => before + 1);
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, []);
  return looks;
}
