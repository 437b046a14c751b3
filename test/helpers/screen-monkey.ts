import console from 'node:console';
import { vi } from 'vitest';
import { editOnScreen } from '../../src/cli/requests/edit-on-screen.ts';
import type { LeftBecause, RunOver } from '../../src/tui/screen/show-sprint-options.ts';
import { createAgentOutput } from '../../src/tui/text/agent-output.ts';
import { agentsAtWork } from '../../src/tui/screen/sprint-now.ts';
import { describeScreen } from '../../src/views/sprint-view.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { FakeStdin } from './fake-terminal.ts';
import { keyCount, randomChunk } from './monkey-keys.ts';
import { MonkeyOracle, type Decided } from './monkey-oracle.ts';
import { MonkeyEyes } from './monkey-eyes.ts';
import { MonkeyWorld } from './monkey-world.ts';
import { OversizeTerminal } from './oversize-terminal.ts';
import { pick, seededRandom, type Random } from './random.ts';
import { showTestSprint } from './show-test-sprint.ts';

const sizes: readonly (readonly [columns: number, rows: number])[] = [
  [80, 24],
  [100, 30],
  [48, 14],
  [40, 10],
  [120, 40],
  [300, 80],
  [59, 30],
  [200, 12],
  [39, 9],
  [20, 5],
  [7, 2],
];
const largeSizes = sizes.filter(([columns, rows]) => columns >= 40 && rows >= 10);
/** Between news, frames, and whatever arms. */
const waits = [0, 0, 1, 17, 50, 101, 301, 620, 700, 1_300];
/** Between two looks at the terminal. */
const GLANCE_MS = 100;
/** Agents that are stopped take as long. */
const graces = [0, 300, 2_000];
/** A run is over after so long, or not at all. */
const runTimes = [Infinity, Infinity, 3_000, 20_000];

/** What the monkey did, and what became of it. */
export type MonkeyTrip = { readonly keys: number; readonly decided: ReadonlyMap<string, number> };

/**
 * Presses random keys on the screen of a sprint, resizes it, and has things happen in its log, by a clock of its own. Fails
 * with the seed and the last steps when the screen draws beyond the terminal, ends with an error, or records what no key
 * asked for, or stops or leaves the run without one.
 */
export async function letMonkeyPlay(
  project: Project,
  { stream, seed, keys }: { readonly stream: string; readonly seed: number; readonly keys: number },
): Promise<MonkeyTrip> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.stubGlobal('console', console);
  const kill = vi.spyOn(process, 'kill').mockImplementation(withoutStopping(process.kill.bind(process)));
  try {
    return await new Monkey(project, stream, seed).play(keys);
  } finally {
    kill.mockRestore();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
}

/** Ctrl+Z is followed by `fg`. */
function withoutStopping(kill: typeof process.kill): typeof process.kill {
  return (pid, signal) => {
    if (signal !== 'SIGTSTP') return kill(pid, signal);
    setImmediate(() => process.emit('SIGCONT'));
    return true;
  };
}

class Monkey {
  readonly #project: Project;
  readonly #stream: string;
  readonly #seed: number;
  readonly #random: Random;
  readonly #oracle = new MonkeyOracle();
  readonly #world: MonkeyWorld;
  readonly #unasked: Decided[] = [];
  readonly #steps: string[] = [];
  readonly #output = createAgentOutput();
  readonly #recording = new Set<Promise<unknown>>();
  #terminal = new OversizeTerminal(80, 24);
  #eyes = new MonkeyEyes(this.#terminal);
  #stdin = new FakeStdin();
  #shown: Promise<unknown> | undefined;
  #failure: unknown;
  #isOpen = false;
  #isStopping = false;

  constructor(project: Project, stream: string, seed: number) {
    this.#project = project;
    this.#stream = stream;
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#world = new MonkeyWorld(project, {
      stream,
      random: this.#random,
      output: this.#output,
      note: (step) => this.#note(step),
    });
  }

  async play(keys: number): Promise<MonkeyTrip> {
    const unsubscribe = this.#project.subscribe((events) =>
      this.#unasked.push(...this.#oracle.recorded(events, (id) => this.#world.markOf(id))),
    );
    let pressed = 0;
    try {
      while (pressed < keys) {
        if (!this.#isOpen) await this.#open();
        pressed += await this.#step();
        this.#check();
      }
    } finally {
      await this.#close();
      unsubscribe();
    }
    this.#check();
    return { keys: pressed, decided: this.#oracle.decided };
  }

  async #step(): Promise<number> {
    const at = this.#random();
    if (at < 0.08) await this.#world.happen();
    else if (at < 0.1) this.#resize();
    else if (at < 0.4) await this.#wait(pick(this.#random, waits));
    else {
      const chunk = randomChunk(this.#random, this.#eyes.hints);
      await this.#press(chunk);
      return keyCount(chunk);
    }
    return 0;
  }

  async #press(chunk: string): Promise<void> {
    this.#note(`press ${JSON.stringify(chunk)}`);
    const sprint = describeScreen(this.#project.state, this.#stream);
    const hasAgents = agentsAtWork({ sprint, past: undefined }) > 0;
    this.#oracle.pressed(chunk, { ...this.#eyes.seen(), hasAgents, isStopping: this.#isStopping });
    this.#eyes.close(chunk);
    this.#stdin.write(chunk);
    await this.#turn();
    // What is drawn at once is seen before the next key.
    await vi.advanceTimersByTimeAsync(0);
    await this.#turn();
    this.#eyes.look();
  }

  #resize(): void {
    const [columns, rows] = pick(this.#random, sizes);
    this.#note(`resize to ${columns}×${rows}`);
    this.#terminal.resizeTo(columns, rows);
    this.#eyes.resized();
  }

  async #wait(ms: number): Promise<void> {
    this.#note(`wait ${ms}`);
    for (let left = ms; left >= 0; left -= GLANCE_MS) {
      await vi.advanceTimersByTimeAsync(Math.min(left, GLANCE_MS));
      await this.#turn();
      this.#eyes.look();
      if (left === 0) break;
    }
    // What is recorded by now was asked for before, and what is not is never to be.
    while (this.#recording.size > 0) {
      await vi.advanceTimersByTimeAsync(1);
      await this.#turn();
    }
    this.#oracle.settle();
  }

  /** All that is ready to happen has happened. */
  async #turn(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async #open(): Promise<void> {
    this.#note('open');
    this.#oracle.settle();
    this.#stdin = new FakeStdin();
    this.#terminal = new OversizeTerminal(...pick(this.#random, largeSizes));
    this.#eyes = new MonkeyEyes(this.#terminal);
    this.#isOpen = true;
    this.#isStopping = false;
    const isOwner = this.#random() < 0.7;
    const project = this.#followed(this.#project);
    const edit = editOnScreen({ env: {} }, project);
    const shown = showTestSprint(project, {
      stream: this.#stream,
      owner: isOwner,
      live: this.#output,
      openEditor: () => Promise.resolve(this.#random() < 0.5 ? { text: 'edited' } : { problem: 'no editor' }),
      edit: (...call) => this.#follow(edit(...call)),
      ...(isOwner ? this.#run() : {}),
      stdin: this.#stdin as unknown as NodeJS.ReadStream,
      stdout: this.#terminal as unknown as NodeJS.WriteStream,
    });
    this.#shown = shown.then(
      (why) => {
        this.#left(why);
        this.#isOpen = false;
      },
      (error: unknown) => {
        this.#failure = error;
        this.#isOpen = false;
      },
    );
    await this.#wait(50);
  }

  /** The run that this is the screen of. */
  #run() {
    const ends = (): Promise<RunOver> => {
      const ms = pick(this.#random, runTimes);
      return new Promise((resolve) => {
        if (ms < Infinity) setTimeout(() => resolve({ stays: true }), ms);
      });
    };
    return {
      ended: ends(),
      runAgain: () => {
        this.#did('run again');
        return ends();
      },
      onStop: (key: string) => {
        this.#did(`stop ${key}`);
        this.#isStopping = true;
        return new Promise<void>((resolve) => void setTimeout(resolve, pick(this.#random, graces)));
      },
      onKill: () => this.#did('killed'),
      graceMs: 5_000,
    };
  }

  #left(why: LeftBecause): void {
    // It was stopped by a key that was judged then, or goes on.
    if (why !== 'stopped' && why !== 'ended') this.#did(why);
  }

  #did(what: string): void {
    this.#note(what);
    if (!this.#oracle.happened({ what })) this.#unasked.push({ what });
  }

  /** The project, whose records are waited for. */
  #followed(project: Project): Project {
    return new Proxy(project, {
      get: (target, key) => {
        if (key === 'dispatch')
          return (...args: Parameters<Project['dispatch']>) => this.#follow(target.dispatch(...args));
        if (key === 'record')
          return (...args: Parameters<Project['record']>) => this.#follow(target.record(...args));
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  #follow<T>(recording: Promise<T>): Promise<T> {
    const done = recording.then(
      () => undefined,
      () => undefined,
    );
    this.#recording.add(done);
    void done.then(() => this.#recording.delete(done));
    return recording;
  }

  /** As when the terminal is gone. */
  async #close(): Promise<void> {
    for (let tries = 0; this.#isOpen && tries < 20; tries += 1) {
      await this.#press('\u0003');
      await this.#wait(700);
    }
    if (this.#isOpen) throw new Error(this.#story('Ctrl+C does not lead out'));
    await this.#shown;
  }

  #check(): void {
    if (this.#failure !== undefined)
      throw new Error(this.#story('the screen failed'), { cause: this.#failure });
    if (this.#unasked.length > 0)
      throw new Error(this.#story(`nobody asked for ${JSON.stringify(this.#unasked)}`));
    const beyond = this.#isOpen ? this.#eyes.beyond() : undefined;
    if (beyond !== undefined) throw new Error(this.#story(`drawn beyond the terminal: ${beyond}`));
  }

  #note(step: string): void {
    this.#steps.push(step);
    if (this.#steps.length > 40) this.#steps.shift();
  }

  #story(what: string): string {
    const { hints, shown } = this.#eyes.seen();
    return [
      `${what} (seed ${this.#seed}), after:`,
      ...this.#steps,
      `seen: ${hints}`,
      `      ${JSON.stringify([...shown])}`,
      ...this.#terminal.lines,
    ].join('\n');
  }
}
