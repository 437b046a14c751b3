import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { basename, join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { OverviewLeft } from '../../tui/overview/show-overview.tsx';
import type { OverviewSource } from '../../tui/overview/overview-sources.ts';
import type { OverviewWay } from '../../tui/overview/overview-state.ts';
import { lookIn, type ScreenLook } from '../../tui/terminal/screen-look.ts';
import type { Notice } from '../../tui/screen/screen-state.ts';
import { once } from '../../lib/once.ts';
import { sprintAmong } from '../../views/sprints/several-projects.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { KnownProject } from '../../workflow/projects/known-projects.ts';
import { openProjects } from '../../workflow/projects/open-projects.ts';
import type { Cli } from '../cli.ts';
import { inProject } from '../project/in-project.ts';
import { processesOf } from '../project/processes.ts';
import { withProject } from '../project/with-project.ts';
import { projectsEverywhere } from '../project/with-projects.ts';
import { partsIn } from '../requests/offers.ts';
import { withSignals } from '../project/with-signals.ts';
import { commandsIn } from '../run/run-own-command.ts';
import { withCalls } from '../run/with-calls.ts';
import { restoreAtExit } from '../run/restore-at-exit.ts';
import { missingAgents } from './missing-agents.ts';
import { printingAfter } from './printing-after.ts';
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
      withHuman(cli, project, () =>
        walk(cli, { root, called: basename(root), look }, (show) => show([{ project }], [])),
      ),
    '/clifford/tui',
  );
}

/**
 * `clifford --everywhere`: the same of all projects of the user's list. They are opened anew whenever a person comes back from a
 * sprint: one whose server was away may be there by then.
 *
 * @throws {CliffordError} `PROJECT_UNKNOWN`: there are none; `PROJECTS_UNREADABLE`.
 */
export async function openOverviewOfAll(cli: Cli, look: ScreenLook): Promise<void> {
  const withAll: WithPlaces = async (show) => {
    const known = await projectsEverywhere(cli);
    const how = { env: cli.env, source: '/clifford/tui' } as const;
    const { opened, closed, close } = await openProjects(known, how);
    const over = new AbortController();
    try {
      const problems = closed.map(({ name, reason }) => `${name} cannot be opened: ${reason}`);
      return await show(opened, problems, untilBack(closed, how, over.signal));
    } finally {
      over.abort();
      await close();
    }
  };
  await walk(cli, { root: findProjectRoot(cli), called: 'all projects', look }, withAll);
}

/** So often those that could not be opened are tried again, in ms. */
const AGAIN_MS = 10_000;

/** Waits until one of these can be opened. Never ends where there are none, or once it is aborted. */
async function untilBack(
  closed: readonly KnownProject[],
  how: Parameters<typeof openProjects>[1],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    if (closed.length === 0) return new Promise(() => undefined);
    await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return new Promise(() => undefined);
    const { opened, close } = await openProjects(closed, how);
    await close();
    if (opened.length > 0) return undefined;
  }
}

/** A project of the overview; with its name, root and all, among several. */
type Place = { readonly project: Project; readonly name?: string };

/** Shows these places until the person leaves for one of them and is back from it; returns where they stand then. */
type ShowPlaces = (
  places: readonly Place[],
  problems: readonly string[],
  /** Ends when there are others to be shown. */
  others?: Promise<void>,
) => Promise<Back | 'leave'>;

/** Opens them, has them shown, and closes what it has opened. */
type WithPlaces = (show: ShowPlaces) => ReturnType<ShowPlaces>;

/** Where a person stands who is back from a sprint, and what became of what they left for. */
type Back = { readonly place: OverviewLeft['place']; readonly notice: Notice | undefined };

/** Serves the question files of a project and calls its humans while a screen is there. */
function withHuman<T>(cli: Cli, project: Project, work: () => Promise<T>): Promise<T> {
  const place = { project, isOnScreen: true };
  return withSignals(cli, place, () => withCalls(cli, place, work));
}

/** The screen of a sprint, and from there those of others. Returns the last one, and whether it is to be run. */
async function enter(
  cli: Cli,
  project: Project,
  {
    sprint,
    question,
    look,
    among,
  }: {
    readonly sprint: string;
    readonly question?: string | undefined;
    readonly look: ScreenLook;
    readonly among: string | undefined;
  },
): Promise<{ readonly sprint: string; readonly runs: boolean }> {
  const { attachOnScreen } = await import('../run/attach-on-screen.ts');
  let next: string | undefined;
  const left = await attachOnScreen(cli, project, sprint, {
    question,
    isBelow: true,
    among,
    startsRuns: true,
    look,
    onGo: (id) => (next = id),
  });
  return next === undefined
    ? { sprint, runs: left === 'start' }
    : enter(cli, project, { sprint: next, look, among });
}

type Stage = {
  /** Of the project whose configuration says how the terminal is called. */
  readonly root: string;
  readonly called: string;
  readonly look: ScreenLook;
};

/** From the overview to a sprint and back, until the person leaves. */
async function walk(inherited: Cli, stage: Stage, withPlaces: WithPlaces): Promise<void> {
  const { releaseScreen } = await import('../../tui/terminal/terminal-stream.ts');
  const title = await overviewTitle(inherited, stage);
  const release = () => releaseScreen(inherited.stdout);
  const restore = () => {
    title.hide();
    release();
  };
  const cli = printingAfter(inherited, release);
  const stopRestoring = restoreAtExit(restore);
  try {
    let back: Back | 'leave' | undefined;
    while (back !== 'leave') {
      const from = back;
      const show: ShowPlaces = (places, problems, others) =>
        goAbout(cli, { ...stage, title, release }, { places, problems, others, from });
      back = await withPlaces(show);
    }
  } finally {
    stopRestoring();
    restore();
  }
}

/** Shows the overview, and the sprint that the person leaves it for. */
async function goAbout(
  cli: Cli,
  stage: Stage & {
    readonly title: OverviewTitle;
    /** Gives the terminal back between two screens, which else follow each other on it. */
    readonly release: () => void;
  },
  {
    places,
    problems,
    others,
    from,
  }: {
    readonly places: readonly Place[];
    readonly problems: readonly string[];
    readonly others: Promise<void> | undefined;
    readonly from: Back | undefined;
  },
): Promise<Back | 'leave'> {
  const { title, look, called } = stage;
  const { showOverview } = await import('../../tui/overview/show-overview.tsx');
  const [only] = places;
  const { to, place } = await showOverview({
    sources: places.map((each) => sourceOf(cli, each)),
    title: called,
    problems,
    others,
    ...from,
    look,
    ...(only && only.name === undefined && { runCommand: commandsIn(cli, only.project) }),
    onShown: title.show,
    onAway: title.onAway,
    stdin: cli.stdin,
    stdout: cli.stdout,
  });
  // What comes next has its own.
  title.hide();
  if (to.type === 'leave') return 'leave';
  if (to.type === 'anew') return { place, notice: undefined };
  const { project: name, sprint } = sprintAmong(to.sprint);
  const chosen = places.find((each) => each.name === name);
  if (!chosen) return { place, notice: { tone: 'warning', text: `${name ?? called} is not there any more` } };
  try {
    await assertAnswers(chosen.project, name ?? called);
    const left = await goTo(cliOf(cli, chosen), { ...chosen, to: { ...to, sprint }, stage });
    return left === 'leave' ? left : { place, notice: left };
  } catch (error) {
    // What a person can do something about is said where they are: the overview stays.
    if (!(error instanceof CliffordError)) throw error;
    return { place, notice: { tone: 'warning', text: error.inOneLine } };
  }
}

/** So long a log may take to answer before a screen of it is opened, in ms: nothing else is shown meanwhile. */
const PATIENCE_MS = 3_000;

/** @throws {CliffordError} `LOG_UNREACHABLE`: its server does not answer. */
async function assertAnswers(project: Project, called: string): Promise<void> {
  const over = new AbortController();
  const late = pause(PATIENCE_MS, 'late', { signal: over.signal });
  try {
    const first = await Promise.race([project.refresh(), late]);
    if (first === 'late')
      throw new CliffordError(`Cannot open ${called} now: the server of its log does not answer`, {
        code: 'LOG_UNREACHABLE',
        fix: 'It is there again once its server is',
        recovery: 'retry',
      });
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** Shows the sprint, and runs it where the person wants that; returns what is to be said of it. */
async function goTo(
  cli: Cli,
  {
    project,
    name,
    to,
    stage: { look, release },
  }: Place & {
    readonly to: Exclude<OverviewWay, { type: 'leave' }>;
    readonly stage: { readonly look: ScreenLook; readonly release: () => void };
  },
): Promise<Notice | 'leave' | undefined> {
  const entering = () => enter(cli, project, { ...to, look, among: name });
  const { sprint, runs } =
    to.type === 'run'
      ? { sprint: to.sprint, runs: true }
      : // Of a single project that goes on all the time.
        await (name === undefined ? entering() : withHuman(cli, project, entering));
  if (!runs) return undefined;
  // It may have something to ask first, and prints how it ended.
  release();
  const ended = await runFromOverview(cli, sprint, look);
  return ended === 'interrupted' ? 'leave' : ended;
}

function cliOf(cli: Cli, { name, project }: Place): Cli {
  return name === undefined ? cli : inProject(cli, { name, root: project.root });
}

function sourceOf(inherited: Cli, place: Place): OverviewSource {
  const { project, name } = place;
  const cli = cliOf(inherited, place);
  // Most have no call that waits: what takes one apart is loaded for the first.
  const parts = once(() => partsIn(cli, project));
  return {
    project,
    name,
    processes: processesOf(project),
    partsOf: (waiting) => parts()(waiting),
    missingAgents: (ids) => missingAgents(cli, project, ids),
  };
}
