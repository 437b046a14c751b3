import type { QuestionHead } from '../../api/question.ts';
import { InboxItem } from '../inbox/home.tsx';
import { useWhom } from '../parts/use-whom.ts';
import { hrefOf } from '../route.ts';
import { waitVerb } from '../../../views/requests/waits-text.ts';

/** So many requests are beside a task that is looked at: its own are all there. */
const BESIDE_TASK = 3;

type WaitingHereProps = {
  readonly sprint: string;
  /** What waits in it. */
  readonly waiting: readonly QuestionHead[];
  /** The task that is looked at. */
  readonly task: string | undefined;
};

/** What waits for a human in a sprint; beside a task what there is room for, all of its own among them, and the way to the others. */
export function WaitingHere({ sprint, waiting, task }: WaitingHereProps) {
  const listed = task === undefined ? waiting : besideTask(waiting, task);
  const whom = useWhom();
  const left = waiting.length - listed.length;
  return (
    <>
      {task === undefined && <h2 className="section-head">What waits for {whom}</h2>}
      <ul className="inbox is-here" aria-label={`What waits for ${whom}`}>
        {listed.map((question) => (
          <li
            key={question.id}
            className={task !== undefined && question.task === task ? 'of-task' : undefined}
          >
            <InboxItem question={question} name={undefined} />
          </li>
        ))}
        {left > 0 && (
          <li>
            <a className="inbox-more" href={hrefOf({ sprint })}>
              {left} more {waitVerb(left)} for {whom}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}

function besideTask(waiting: readonly QuestionHead[], task: string): readonly QuestionHead[] {
  const [own, others] = [
    waiting.filter((question) => question.task === task),
    waiting.filter((question) => question.task !== task),
  ];
  const shown = new Set([...own, ...others].slice(0, Math.max(BESIDE_TASK, own.length)));
  // In the order in which they are gone through.
  return waiting.filter((question) => shown.has(question));
}
