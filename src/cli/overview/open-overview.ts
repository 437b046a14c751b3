import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { OverviewLeft } from '../../tui/overview/show-overview.tsx';
import { lookIn, type ScreenLook } from '../../tui/terminal/screen-look.ts';
import type { Notice } from '../../tui/screen/screen-state.ts';
import { once } from '../../lib/once.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { processesOf } from '../project/processes.ts';
import { withProject } from '../project/with-project.ts';
import { partsIn } from '../requests/offers.ts';
import { withSignals } from '../project/with-signals.ts';
import { commandsIn } from '../run/run-own-command.ts';
import { withCalls } from '../run/with-calls.ts';
import { restoreAtExit } from '../run/restore-at-exit.ts';
import { missingAgents } from './missing-agents.ts';
import { overviewTitle, type OverviewTitle } from './overview-title.ts';
import { offerStart } from './offer-start.ts';
import { runFromOverview } from './run-from-overview.ts';

/** `clifford` alone, on a terminal: all sprints and what waits for a human, and from there into each of them and back. */
export async function openOverview(cli: Cli, look: ScreenLook = lookIn(cli.env)): Promise<void> {
  const root = findProjectRoot(cli);
  if (!existsSync(join(root, STATE_DIR))) return offerStart(cli);
  await withProject(
    cli,
    (project) =>
      withSignals(cli, { project, isOnScreen: true }, () =>
        withCalls(cli, { project, isOnScreen: true }, () => walk(cli, project, look)),
      ),
    '/clifford/tui',
  );
}

/** The screen of a sprint, and from there those of others. Returns the last one, and whether it is to be run. */
async function enter(
  cli: Cli,
  project: Project,
  {
    sprint,
    question,
    look,
  }: { readonly sprint: string; readonly question?: string | undefined; readonly look: ScreenLook },
): Promise<{ readonly sprint: string; readonly runs: boolean }> {
  const { attachOnScreen } = await import('../run/attach-on-screen.ts');
  let next: string | undefined;
  const left = await attachOnScreen(cli, project, sprint, {
    question,
    isBelow: true,
    startsRuns: true,
    look,
    onGo: (id) => (next = id),
  });
  return next === undefined
    ? { sprint, runs: left === 'start' }
    : enter(cli, project, { sprint: next, look });
}

/** From the overview to a sprint and back, until the person leaves. */
async function walk(cli: Cli, project: Project, look: ScreenLook): Promise<void> {
  const { releaseScreen } = await import('../../tui/terminal/terminal-stream.ts');
  const title = await overviewTitle(cli, project);
  const release = () => releaseScreen(cli.stdout);
  const restore = () => {
    title.hide();
    release();
  };
  const stopRestoring = restoreAtExit(restore);
  try {
    await goAbout(printingAfter(cli, release), project, { look, release, title });
  } finally {
    stopRestoring();
    restore();
  }
}

type Stage = {
  readonly look: ScreenLook;
  /** Gives the terminal back between two screens, which else follow each other on it. */
  readonly release: () => void;
  readonly title: OverviewTitle;
};

async function goAbout(cli: Cli, project: Project, { look, release, title }: Stage): Promise<void> {
  const { showOverview } = await import('../../tui/overview/show-overview.tsx');
  const processes = processesOf(project);
  const runCommand = commandsIn(cli, project);
  // Most have no call that waits: what takes one apart is loaded for the first.
  const parts = once(() => partsIn(cli, project));
  const partsOf = (waiting: readonly RequestState[]) => parts()(waiting);
  let place: OverviewLeft['place'] | undefined;
  let notice: Notice | undefined;
  for (;;) {
    const { stdin, stdout } = cli;
    const left = await showOverview({
      project,
      processes,
      place,
      notice,
      look,
      partsOf,
      missingAgents: (ids) => missingAgents(cli, project, ids),
      runCommand,
      onShown: title.show,
      onAway: title.onAway,
      stdin,
      stdout,
    });
    // What comes next has its own.
    title.hide();
    ({ place } = left);
    notice = undefined;
    const { to } = left;
    if (to.type === 'leave') return;
    let { sprint } = to;
    let runs = to.type === 'run';
    try {
      if (to.type === 'enter') {
        ({ sprint, runs } = await enter(cli, project, { ...to, look }));
      }
      if (runs) {
        // It may have something to ask first, and prints how it ended.
        release();
        const ended = await runFromOverview(cli, sprint, look);
        if (ended === 'interrupted') return;
        notice = ended;
      }
    } catch (error) {
      // What a person can do something about is said where they are: the overview stays.
      if (!(error instanceof CliffordError)) throw error;
      notice = { tone: 'warning', text: error.inOneLine };
    }
  }
}

/** What is printed goes where it stays in sight: not on the screen that is drawn on. */
function printingAfter(cli: Cli, first: () => void): Cli {
  const after =
    <T extends unknown[], R>(print: (...what: T) => R) =>
    (...what: T): R => {
      first();
      return print(...what);
    };
  const { print, printLines, say, printJson, deliver, warn, note, hint } = cli;
  return {
    ...cli,
    print: after(print),
    printLines: after(printLines),
    say: after(say),
    printJson: after(printJson),
    deliver: after(deliver),
    warn: after(warn),
    note: after(note),
    hint: after(hint),
  };
}
