import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { OverviewLeft } from '../../tui/overview/show-overview.tsx';
import type { Notice } from '../../tui/screen/screen-state.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { processesOf } from '../project/processes.ts';
import { withProject } from '../project/with-project.ts';
import { withSignals } from '../project/with-signals.ts';
import { offerStart } from './offer-start.ts';
import { runFromOverview } from './run-from-overview.ts';

/** `clifford` alone, on a terminal: all sprints and what waits for a human, and from there into each of them and back. */
export async function openOverview(cli: Cli): Promise<void> {
  const root = findProjectRoot(cli);
  if (!existsSync(join(root, STATE_DIR))) return offerStart(cli);
  await withProject(
    cli,
    (project) => withSignals(cli, { project, isOnScreen: true }, () => walk(cli, project)),
    '/clifford/tui',
  );
}

/** The screen of a sprint, and from there those of others. Returns the last one, and whether it is to be run. */
async function look(
  cli: Cli,
  project: Project,
  { sprint, question }: { readonly sprint: string; readonly question?: string | undefined },
): Promise<{ readonly sprint: string; readonly runs: boolean }> {
  const { attachOnScreen } = await import('../run/attach-on-screen.ts');
  let next: string | undefined;
  const left = await attachOnScreen(cli, project, sprint, {
    question,
    isBelow: true,
    startsRuns: true,
    onGo: (id) => (next = id),
  });
  return next === undefined ? { sprint, runs: left === 'start' } : look(cli, project, { sprint: next });
}

/** From the overview to a sprint and back, until the person leaves. */
async function walk(cli: Cli, project: Project): Promise<void> {
  const { showOverview } = await import('../../tui/overview/show-overview.tsx');
  const processes = processesOf(project);
  let place: OverviewLeft['place'] | undefined;
  let notice: Notice | undefined;
  for (;;) {
    const left = await showOverview({ project, processes, place, notice });
    ({ place } = left);
    notice = undefined;
    const { to } = left;
    if (to.type === 'leave') return;
    let { sprint } = to;
    let runs = to.type === 'run';
    try {
      if (to.type === 'enter') {
        ({ sprint, runs } = await look(cli, project, to));
      }
      if (runs) {
        const ended = await runFromOverview(cli, sprint);
        if (ended === 'interrupted') return;
        notice = ended;
      }
    } catch (error) {
      // What a person can do something about is said where they are: the overview stays.
      if (!(error instanceof CliffordError)) throw error;
      notice = { tone: 'warning', text: `${error.message}. ${error.fix}` };
    }
  }
}
