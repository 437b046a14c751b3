import { editOnScreen } from '../../src/cli/requests/edit-on-screen.ts';
import type { OverviewPlace } from '../../src/tui/overview/overview-state.ts';
import { showOverview } from '../../src/tui/overview/show-overview.tsx';
import type { RunCommand } from '../../src/tui/palette/run-commands.ts';
import { lookIn } from '../../src/tui/terminal/screen-look.ts';
import type { LeftBecause, RunOver } from '../../src/tui/screen/show-sprint-options.ts';
import type { AgentOutput } from '../../src/tui/text/agent-output.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import type { FakeStdin } from './fake-terminal.ts';
import type { Decided } from './monkey-oracle.ts';
import type { OversizeTerminal } from './oversize-terminal.ts';
import { pick, type Random } from './random.ts';
import { showTestSprint } from './show-test-sprint.ts';

/** Agents that are stopped take as long, in ms. */
const graces = [0, 300, 2_000];
/** A run is over after so long, or not at all. */
const runTimes = [Infinity, Infinity, 3_000, 20_000];

type Terminal = {
  readonly stdin: FakeStdin;
  readonly stdout: OversizeTerminal;
  readonly isMouse: boolean;
};

type TourDeps = {
  readonly project: Project;
  readonly stream: string;
  readonly output: AgentOutput;
  readonly random: Random;
  /** Told of what is being recorded beside the project's own records. */
  readonly follow: <T>(recording: Promise<T>) => Promise<T>;
  /** Told of what the screens do that the log does not have. */
  readonly did: (decided: Decided) => void;
};

/** The screens that a person goes through: the one of a run, or of another's, or the overview and what it leads to. */
export class ScreenTour {
  readonly #deps: TourDeps;
  #isStopping = false;

  constructor(deps: TourDeps) {
    this.#deps = deps;
  }

  /** The agents of the run are being stopped. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Resolves when the last screen was left. */
  async go(terminal: Terminal): Promise<void> {
    const { stream, random } = this.#deps;
    const at = random();
    if (at < 0.4) return this.#goAbout(terminal);
    await this.#show(terminal, { stream, isOwner: at < 0.8, isBelow: false });
  }

  /** From the overview to sprints and back. */
  async #goAbout(terminal: Terminal): Promise<void> {
    const { project, did } = this.#deps;
    const processes = { hasRunner: () => false, isAlive: () => true };
    let place: OverviewPlace | undefined;
    for (;;) {
      const look = lookOf(terminal);
      const left = await showOverview({
        sources: [{ project, processes }],
        title: 'tour',
        place,
        look,
        runCommand,
        ...streamsOf(terminal),
      });
      ({ place } = left);
      const { to } = left;
      if (to.type === 'leave') return did({ what: 'left' });
      if (to.type === 'anew') continue;
      if (to.type === 'run') did({ what: 'run', about: to.sprint });
      const isOwner = to.type === 'run';
      const why = await this.#show(terminal, { stream: to.sprint, isOwner, isBelow: !isOwner });
      if (why === 'start') await this.#show(terminal, { stream: to.sprint, isOwner: true, isBelow: false });
    }
  }

  async #show(
    terminal: Terminal,
    {
      stream,
      isOwner,
      isBelow,
    }: { readonly stream: string; readonly isOwner: boolean; readonly isBelow: boolean },
  ): Promise<LeftBecause> {
    const { project, random, output, follow } = this.#deps;
    this.#isStopping = false;
    const edit = editOnScreen({ env: {} }, project);
    const why = await showTestSprint(project, {
      stream,
      owner: isOwner,
      isBelow,
      startsRuns: isBelow,
      look: lookOf(terminal),
      live: output,
      runCommand,
      openEditor: () => Promise.resolve(random() < 0.5 ? { text: 'edited' } : { problem: 'no editor' }),
      edit: (...call) => follow(edit(...call)),
      ...(isOwner ? this.#run() : {}),
      ...streamsOf(terminal),
    });
    // It was stopped by a key that was judged then, or goes on.
    if (why !== 'stopped' && why !== 'ended') this.#deps.did({ what: why });
    return why;
  }

  /** The run that this is the screen of. */
  #run() {
    const { random, did } = this.#deps;
    const ends = (): Promise<RunOver> => {
      const ms = pick(random, runTimes);
      return new Promise((resolve) => {
        if (ms < Infinity) setTimeout(() => resolve({ stays: true }), ms);
      });
    };
    return {
      ended: ends(),
      runAgain: () => {
        did({ what: 'run again' });
        return ends();
      },
      onStop: (key: string) => {
        did({ what: `stop ${key}` });
        this.#isStopping = true;
        return new Promise<void>((resolve) => void setTimeout(resolve, pick(random, graces)));
      },
      onKill: () => did({ what: 'killed' }),
      graceMs: 5_000,
    };
  }
}

/** A command takes a while, and says where it is. */
const runCommand: RunCommand = async (argv, { signal, onOutput }) => {
  onOutput(`${argv.join(' ')}\n`);
  await new Promise<void>((resolve) => void setTimeout(resolve, 200));
  if (signal.aborted) return { how: 'cancelled' };
  onOutput('line\n'.repeat(50));
  return { how: 'done' };
};

function lookOf({ isMouse }: Terminal) {
  return lookIn(isMouse ? { CLIFFORD_MOUSE: '1' } : {});
}

function streamsOf({ stdin, stdout }: Terminal) {
  // Of both, screens use nothing else.
  return {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
  };
}
