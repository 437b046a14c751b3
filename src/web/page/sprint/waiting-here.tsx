import type { QuestionHead } from '../../api/question.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { InboxItem } from '../inbox/home.tsx';
import { useWhom } from '../parts/use-whom.ts';

type WaitingHereProps = {
  readonly waiting: readonly QuestionHead[];
  /** All of it is of the task that is looked at, whose name stands above. */
  readonly isOfTask?: boolean;
};

/** What waits for a human in a sprint, or in one of its tasks. */
export function WaitingHere({ waiting, isOfTask = false }: WaitingHereProps) {
  const whom = useWhom();
  const mayDecide = useStore(useSession().state)?.reader.may === 'decide';
  if (waiting.length === 0) return null;
  return (
    <div className={isOfTask ? undefined : 'waits'}>
      {!isOfTask && <h2 className="section-head">What waits for {whom}</h2>}
      <ul className={isOfTask ? 'inbox is-of-task' : 'inbox is-here'} aria-label={`What waits for ${whom}`}>
        {waiting.map((question) => (
          <li key={question.id}>
            <InboxItem question={question} name={undefined} isToPress={isOfTask && mayDecide} />
          </li>
        ))}
      </ul>
    </div>
  );
}
