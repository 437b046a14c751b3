import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';

type AskedTaskProps = {
  /** Its sprint: titles are known of the one that is looked at. */
  readonly sprint: string;
  readonly task: string;
};

/** The task that is asked about: its title, and where there is room its id, as events name it. */
export function AskedTask({ sprint, task }: AskedTaskProps) {
  const shown = useStore(useSession().sprint);
  const title = shown?.id === sprint && shown.tasks.find(({ id }) => id === task)?.title;
  if (!title || title === task) return <AgentLine text={task} />;
  return (
    <>
      <strong>
        <AgentLine text={title} />
      </strong>
      <span className="asked-id">
        {' ('}
        <AgentLine text={task} />)
      </span>
    </>
  );
}
