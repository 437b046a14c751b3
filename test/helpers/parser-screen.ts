import type { LeftBecause } from '../../src/tui/screen/show-sprint-options.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { fact } from './facts.ts';
import { openScreen, type OwnScreen, type ScreenSize } from './pty-screen.ts';
import { showTestSprint } from './show-test-sprint.ts';
import { projectWithSprint } from './temp-project.ts';

/** A sprint on whose one task, `parser`, an agent works: the run `run-1`. */
export async function parserAtWork(): Promise<{ readonly project: Project; readonly stream: string }> {
  const { project, stream } = await projectWithSprint({ tasks: ['parser'] });
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get('parser');
    if (!sprint || !task) return [];
    const agent = { subject: `${stream}/parser`, ...fact('agent.started', { runId: 'run-1' }) };
    return [...startTask(sprint, task, { by: 'runner', runId: 'run-1' }), agent];
  });
  return { project, stream };
}

/** Shows a sprint on a terminal of this size. `left`: why the screen was left, once it is. */
export function openSprint(
  project: Project,
  size: ScreenSize,
  options: Omit<Parameters<typeof showTestSprint>[1], 'stdin' | 'stdout'>,
): { readonly screen: OwnScreen; readonly left: Promise<LeftBecause> } {
  const screen = openScreen(size);
  return { screen, left: showTestSprint(project, { ...options, ...screen }) };
}
