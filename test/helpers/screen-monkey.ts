import console from 'node:console';
import { vi } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { agentsAtWork } from '../../src/tui/feed/sprint-now.ts';
import { createAgentOutput } from '../../src/tui/text/agent-output.ts';
import { describeScreen } from '../../src/views/sprints/sprint-view.ts';
import { FakeStdin } from './fake-terminal.ts';
import { keyCount, meantKeys, randomChunk } from './monkey-keys.ts';
import { MonkeyEyes } from './monkey-eyes.ts';
import { MonkeyOracle, type Decided } from './monkey-oracle.ts';
import { MonkeyWorld } from './monkey-world.ts';
import { OversizeTerminal } from './oversize-terminal.ts';
import { untilQuiet } from './quiet-disk.ts';
import { pick, seededRandom, type Random } from './random.ts';
import { ScreenTour } from './screen-tour.ts';
import { SlowRecords } from './slow-records.ts';
import { projectWithSprint } from './temp-project.ts';

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
  [3, 30],
  [300, 1],
  [2, 2],
  [1, 1],
];
const largeSizes = sizes.filter(([columns, rows]) => columns >= 40 && rows >= 10);
/** Between news, frames, and whatever arms. */
const waits = [0, 0, 1, 17, 50, 101, 301, 620, 700, 1_300];
/** Between two keys: none, as of what is pasted into a terminal that does not mark that, or what a person needs. */
const pauses = [0, 0, 5, 19, 30, 30, 60, 120];
/** What comes sooner belongs to what came before. */
const TOGETHER_MS = 20;
/** Between two keys of somebody who reads what stands there. */
const READING_MS = 700;
/** Between two looks at the terminal. */
const GLANCE_MS = 100;
/** So many steps are told of what failed: all of them are made again from the seed. */
const TOLD = 60;

/** What the monkey did, and what became of it. */
export type MonkeyTrip = {
  readonly keys: number;
  readonly decided: ReadonlyMap<string, number>;
  /** All of it, in words. */
  readonly steps: readonly string[];
};

/**
 * Presses random keys on the overview of a project and the screens of its sprint, resizes them, and has things happen in
 * the log, by a clock of its own. Fails with the seed and the last steps when a screen draws beyond the terminal, ends with
 * an error, or records what no key asked for, or starts, stops or leaves a run without one. The same seed does the same.
 */
export async function letMonkeyPlay({ seed, keys }: { seed: number; keys: number }): Promise<MonkeyTrip> {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
  // Over by now: ids that are made later in this process begin with the latest time that it has known.
  const now = Date.parse('2026-01-31T12:00:00Z');
  vi.useFakeTimers({ now, toFake: ['Date'] });
  vi.stubGlobal('console', console);
  const kill = vi.spyOn(process, 'kill').mockImplementation(withoutStopping(process.kill.bind(process)));
  try {
    const { project, stream } = await projectWithSprint({ tasks: ['parser', 'docs', 'schema'] });
    // How long something takes here decides nothing, so `performance` stands still, too.
    vi.useFakeTimers({ now, toFake: [...timers, 'Date', 'performance'] });
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
  readonly #records: SlowRecords;
  readonly #tour: ScreenTour;
  #terminal = new OversizeTerminal(80, 24);
  #eyes = new MonkeyEyes(this.#terminal);
  #stdin = new FakeStdin();
  #shown: Promise<unknown> | undefined;
  #failure: unknown;
  #isOpen = false;
  #isMouse = false;
  #pressedAt = -Infinity;
  /** What was seen before the last key. */
  #before: ReturnType<MonkeyEyes['seen']> | undefined;

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
    this.#records = new SlowRecords(seededRandom(seed + 1));
    this.#tour = new ScreenTour({
      project: this.#records.of(project),
      stream,
      output: this.#output,
      random: seededRandom(seed + 2),
      follow: (recording) => this.#records.follow(recording),
      did: (decided) => this.#did(decided),
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
    return { keys: pressed, decided: this.#oracle.decided, steps: this.#steps };
  }

  async #step(): Promise<number> {
    const at = this.#random();
    // Nobody looks at nothing for long, nor waits to type on where it was.
    const isBlind = this.#eyes.place === 'too-small';
    if (isBlind && this.#random() < 0.2) this.#resize();
    else if (at < 0.08) await this.#happen();
    else if (at < 0.1) this.#resize();
    else if (at < 0.38) await this.#wait(pick(this.#random, waits));
    else if (at < 0.4) await this.#decide();
    else {
      const { hints, options } = this.#eyes;
      const chunk = randomChunk(this.#random, { hints, options, isMouse: this.#isMouse });
      await this.#press(chunk);
      return keyCount(chunk);
    }
    return 0;
  }

  async #happen(): Promise<void> {
    await this.#world.happen();
    await untilQuiet();
  }

  async #press(chunk: string): Promise<void> {
    const isTogether = performance.now() - this.#pressedAt < TOGETHER_MS;
    this.#pressedAt = performance.now();
    this.#note(`press ${JSON.stringify(chunk)}${isTogether ? ' at once' : ''}`);
    const sprint = describeScreen(this.#project.state, this.#stream);
    const hasAgents =
      agentsAtWork({ sprint, past: undefined, processes: { hasRunner: true, gone: new Set() } }) > 0;
    this.#before = this.#eyes.seen();
    const { isStopping } = this.#tour;
    this.#oracle.pressed(chunk, { ...this.#before, hasAgents, isStopping, isTogether });
    this.#eyes.close(chunk);
    this.#stdin.write(chunk);
    await this.#pass(pick(this.#random, pauses));
    this.#eyes.look();
  }

  /** Decides something as a person does, who reads what each key has led to: of chance alone too little is decided. */
  async #decide(): Promise<void> {
    await this.#wait(READING_MS);
    for (const keys of meantKeys(this.#random, this.#eyes.hints)) {
      if (!this.#isOpen) return;
      await this.#press(keys);
      await this.#wait(READING_MS);
    }
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
      await this.#pass(Math.min(left, GLANCE_MS));
      this.#eyes.look();
      if (left === 0) break;
    }
    // What is recorded by now was asked for before, and what is not is never to be: but for a key that may not be alone yet.
    while (this.#records.areUnderWay) await this.#pass(1);
    const mayBeHeld = performance.now() - this.#pressedAt <= TOGETHER_MS;
    if (!mayBeHeld && !this.#eyes.isHeld) this.#oracle.settle();
  }

  /** So much time, and all that happens in it. */
  async #pass(ms: number): Promise<void> {
    await untilQuiet();
    await vi.advanceTimersByTimeAsync(ms);
    await untilQuiet();
    // What is written takes no time of this clock.
    await this.#records.written();
    await untilQuiet();
  }

  async #open(): Promise<void> {
    const isMouse = this.#random() < 0.4;
    this.#isMouse = isMouse;
    this.#note(`open ${isMouse ? 'with the mouse' : ''}`);
    this.#oracle.settle();
    this.#stdin = new FakeStdin();
    this.#terminal = new OversizeTerminal(...pick(this.#random, largeSizes));
    this.#eyes = new MonkeyEyes(this.#terminal);
    this.#isOpen = true;
    const end = (failure?: unknown) => {
      this.#failure = failure;
      this.#isOpen = false;
    };
    this.#shown = this.#tour
      .go({ stdin: this.#stdin, stdout: this.#terminal, isMouse })
      .then(() => end(), end);
    await this.#wait(50);
  }

  #did(decided: Decided): void {
    this.#note(`${decided.what} ${decided.about ?? ''}`);
    if (!this.#oracle.happened(decided)) this.#unasked.push(decided);
  }

  /** As when the terminal is gone. */
  async #close(): Promise<void> {
    for (let tries = 0; this.#isOpen && tries < 40; tries += 1) {
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
  }

  #story(what: string): string {
    const seen = (what: string, { hints, shown, marked, place }: ReturnType<MonkeyEyes['seen']>) => [
      `${what}: ${hints} (${place})`,
      `  ${JSON.stringify([...shown])}`,
      `  ${JSON.stringify(marked)}`,
    ];
    return [
      `${what} (seed ${this.#seed}, step ${this.#steps.length}), after:`,
      ...this.#steps.slice(-TOLD),
      ...(this.#before ? seen('seen before the last key', this.#before) : []),
      ...seen('seen now', this.#eyes.seen()),
      ...this.#terminal.lines,
    ].join('\n');
  }
}
