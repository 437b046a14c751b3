import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { calendarDay } from '../../lib/time/clock-text.ts';
import type { ProjectState, UnaskedBy } from '../../machines/project-state.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { TaskView } from '../../views/sprints/describe-sprint.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { onProject } from '../project/on-project.ts';
import { warning, type Check, type DoctorContext } from './check.ts';
import type { Disproved } from './disproved.ts';
import { areProofsKept } from './kept-proof.ts';

/** An agent whose prompts are not to be relied on, and who has seen it act without a yes. */
export type Mistrusted =
  | ({ readonly seenBy: 'doctor' } & Disproved)
  | {
      readonly seenBy: 'run';
      readonly agent: string;
      readonly sprint: string;
      readonly tasks: readonly string[];
    }
  | ({ readonly seenBy: 'editor' } & UnaskedBy);

/** What was seen of the agents of these names by `clifford doctor --approvals`. Most often it is the look for a file. */
export async function disproved(
  { root, env }: Pick<DoctorContext, 'root' | 'env'>,
  reading: ConfigReading,
  names: readonly string[],
): Promise<Mistrusted[]> {
  if (!areProofsKept({ env })) return [];
  const { disprovedAgent } = await import('./disproved.ts');
  const { signal } = new AbortController();
  const found = await Promise.all(names.map((name) => disprovedAgent({ root, env, signal }, reading, name)));
  return found.filter((each) => each !== undefined).map((each) => ({ seenBy: 'doctor', ...each }));
}

/** What the log of sprints says of agents. */
export function unaskedIn(
  sprints: readonly { readonly id: string; readonly tasks: readonly Pick<TaskView, 'id' | 'unaskedBy'>[] }[],
): Mistrusted[] {
  return sprints.flatMap(({ id: sprint, tasks }) => {
    const seen = tasks.flatMap((task) => task.unaskedBy.map((agent) => ({ agent, task: task.id })));
    return [...Map.groupBy(seen, ({ agent }) => agent)].map(([agent, of]): Mistrusted => ({
      seenBy: 'run',
      agent,
      sprint,
      tasks: of.map(({ task }) => task),
    }));
  });
}

/** What the log says of agents behind `clifford acp`. */
export function unaskedInEditors({ streams }: Pick<ProjectState, 'streams'>): Mistrusted[] {
  const seen = streams.get(ADHOC_STREAM)?.unaskedBy ?? [];
  return seen.map((each) => ({ seenBy: 'editor', ...each }));
}

/** A warning for each of these agents. */
export async function checkEditorsAgents(context: DoctorContext): Promise<Check[]> {
  if (context.stateDir === undefined) return [];
  const fix = 'Have the editor start another version of it, or look at what it did: clifford replay adhoc';
  try {
    const seen = await onProject(context, context, ({ state }) => Promise.resolve(unaskedInEditors(state)));
    return seen.map((each) => warning('editors', mistrustedText(each), fix, each));
  } catch (error) {
    // What is wrong with the log is told of the log.
    if (error instanceof CliffordError) return [];
    throw error;
  }
}

/** The same in a line. */
export function mistrustedText(seen: Mistrusted): string {
  if (seen.seenBy === 'run') {
    const { agent, sprint, tasks } = seen;
    return visibleLine(`${agent} was seen not to wait for a yes, in ${sprint}: ${tasks.join(', ')}`);
  }
  if (seen.seenBy === 'editor') {
    const { agent, at } = seen;
    return visibleLine(`${agent} was seen not to wait for a yes, in an editor, last on ${calendarDay(at)}`);
  }
  const { title, version, why, at } = seen;
  const day = `seen on ${calendarDay(at)} by clifford doctor --approvals`;
  return visibleLine(
    `${title}${version === null ? '' : ` ${version}`} does not wait for a yes: ${why}, ${day}`,
  );
}
