import { useState } from 'react';
import type { SentTask } from '../../api/sprint.ts';
import { styleBehind, type OwnStyle } from '../../../lib/text/own-style.ts';
import { outputKinds } from '../../../views/text/output-kinds.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import { useStore } from '../connection/store.ts';
import type { RunOutput } from '../connection/output-store.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { hrefOf, routeNow, type View } from '../route.ts';
import { OutputLine } from './output-line.tsx';
import { useEnd } from './use-end.ts';
import '../look/output.css';

/** Lines that are in the page at once, until more are wanted. */
const SHOWN = 400;

/** What the agents of a task write, live, and that what they have changed is being merged. */
export function OutputPane({ task }: { readonly task: SentTask }) {
  const { output } = useSession();
  const runs = useStore(output);
  if (runs === undefined) return <p className="empty muted">Reading…</p>;
  return <OutputLines runs={runs} task={task} />;
}

type OutputLinesProps = {
  readonly runs: readonly RunOutput[];
  /** As it stands where it is looked at. */
  readonly task: SentTask;
};

/** What agents wrote: the end of it, which is followed until the reader scrolls away from there. */
export function OutputLines(props: OutputLinesProps) {
  const { runs, task } = props;
  if (runs.length === 0) return <p className="empty muted">No agent was started on it yet.</p>;
  if (task.state === 'done' && runs.every(isEmpty)) return <NothingKept />;
  return <SomeLines {...props} />;
}

/** There is none to come: where to look instead. */
function NothingKept() {
  const to = (view: View, name: string) => <a href={hrefOf({ ...routeNow(), view })}>{name}</a>;
  return (
    <p className="empty muted">
      Nothing that its agents wrote was kept. What they did is in its {to('changes', 'changes')},{' '}
      {to('calls', 'calls')} and {to('events', 'events')}.
    </p>
  );
}

function isEmpty({ lines }: RunOutput): boolean {
  return lines.every((line) => line === '');
}

function SomeLines({ runs, task }: OutputLinesProps) {
  const { pane, isFollowing, follow, onScroll } = useEnd();
  const [isWhole, setWhole] = useState(false);
  const most = isWhole ? Infinity : SHOWN;
  const isMore = !isWhole && runs.some(({ lines }) => lines.length > SHOWN);
  return (
    <div className="output">
      <div
        ref={pane}
        className="output-lines"
        role="log"
        aria-live="off"
        aria-label="What the agent writes"
        tabIndex={0}
        onScroll={onScroll}
      >
        <div>
          {isMore && (
            <button type="button" className="button plain" onClick={() => setWhole(true)}>
              Show what came before
            </button>
          )}
          {runs.map((run) => (
            <Run key={run.runId} run={run} most={most} />
          ))}
          {task.word === 'merging' && <p className="output-run">merging its changes</p>}
        </div>
      </div>
      {!isFollowing && (
        <button type="button" className="button follow" onClick={follow}>
          Follow
        </button>
      )}
    </div>
  );
}

function Run({ run, most }: { readonly run: RunOutput; readonly most: number }) {
  const { attempt, agent, speaks, startedAt, lines, first, isCut } = run;
  const from = Math.max(0, lines.length - most);
  return (
    <section aria-label={`Attempt ${attempt}`}>
      <p className="output-run">
        attempt {attempt} · <AgentLine text={agent} /> · {clockTime(startedAt)}
      </p>
      {isCut && from === 0 && <p className="muted">What it wrote before is in its transcript.</p>}
      {isEmpty(run) ? (
        <p className="muted">It has written nothing.</p>
      ) : (
        styled(lines, speaks)
          .filter(({ at }) => at >= from)
          .map(({ at, raw, before, kind, ending }) => (
            <OutputLine
              key={first + at}
              raw={raw}
              before={before}
              kind={kind}
              word={ending?.word}
              took={ending?.took}
              why={ending?.why}
            />
          ))
      )}
    </section>
  );
}

/** Lines with what they are, each with the style that those before it have set. */
function styled(lines: readonly string[], speaks: boolean) {
  let before: OwnStyle | undefined;
  return outputKinds(lines, speaks).map((line) => {
    // In the colours of a program it is what that has printed.
    const own = { ...line, before, kind: before && line.kind === 'said' ? ('printed' as const) : line.kind };
    before = styleBehind(before, line.raw);
    return own;
  });
}
