import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { wordOf, type StatusWord } from '../../machines/status-words.ts';
import type { Agent, AgentContext } from '../project/agent.ts';
import type { Project } from '../project/project.ts';
import { openSprint } from './open-sprint.ts';
import { ownTask } from '../task/own-task.ts';

/**
 * The stream an agent's words belong to when they name no sprint: that of `CURRENT_SPRINT_DIR`, else
 * the sprint it last worked on, else the only active one, else `adhoc`.
 *
 * A `CURRENT_SPRINT_DIR` that cannot be used is reported and ignored: a question is not lost over it.
 */
export async function homeStream(project: Project, agent: Agent, context: AgentContext): Promise<string> {
  const named = await streamOfEnvironment(project, context);
  const { state } = project;
  return named ?? context.lastStream ?? ownTask(state, agent, context)?.sprint.id ?? streamUnderWay(state);
}

/**
 * The stream of words that name no sprint, and whose author is not known to belong to one: the only active sprint,
 * else the only one whose tasks all wait for a human, else `adhoc`.
 */
export function streamUnderWay(state: ProjectState): string {
  return onlyOne(state, 'active') ?? onlyOne(state, 'blocked') ?? ADHOC_STREAM;
}

async function streamOfEnvironment(project: Project, context: AgentContext): Promise<string | undefined> {
  const dir = context.env['CURRENT_SPRINT_DIR'];
  if (!dir) return undefined;
  try {
    return (await openSprint(project, dir)).stream;
  } catch (error) {
    if (!(error instanceof CliffordError) || error.recovery !== 'fix-input') throw error;
    context.report(`CURRENT_SPRINT_DIR is ignored. ${error.inOneLine}`);
    return undefined;
  }
}

/** The id of the only sprint in this state. A sprint whose tasks all wait for a human reads blocked. */
function onlyOne(state: ProjectState, word: StatusWord): string | undefined {
  const [first, second] = state.streams
    .loaded()
    .filter(({ manifest, machine }) => manifest !== undefined && wordOf(machine.value) === word);
  return second === undefined ? first?.id : undefined;
}
