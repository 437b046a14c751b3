import console from 'node:console';
import { vi } from 'vitest';
import { CliffordError } from '../../src/errors.ts';
import { keymap } from '../../src/tui/keys/keymap.ts';
import { createAgentOutput } from '../../src/tui/text/agent-output.ts';
import { dismissRequest } from '../../src/workflow/requests/answer.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { approve, askApproval, deny } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordAttached, recordDetached } from '../../src/workflow/requests/deliver.ts';
import { openRequests, requestById } from '../../src/workflow/requests/find-request.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { retryTasks } from '../../src/workflow/project/control.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { approval } from './approval.ts';
import { FakeStdin } from './fake-terminal.ts';
import { bytesOf } from './key-bytes.ts';
import { MonkeyOracle, type Seen } from './monkey-oracle.ts';
import { OversizeTerminal } from './oversize-terminal.ts';
import { seededRandom } from './random.ts';
import { showTestSprint } from './show-test-sprint.ts';

type Random = () => number;

const keyNames = [...new Set(Object.values(keymap).flatMap((all) => all.flatMap(({ keys }) => keys)))];
const words = ['yes', 'no', 'y', 'n', 'foo bar', '1', '2', '日本', '👨‍👩‍👧', 'q', 'install it'];
const fragments = [
  '\u001B',
  '\u001B[',
  '\u001BO',
  '\u001B[1;',
  '\u001B[200~',
  '\u001B[201~',
  '\u001B[<0;1;1M',
  '\u0000',
];
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

/** What frames show of requests, by which they are told apart: of calls that are alike the name of the tool. */
const marksOfRequests = new RegExp(String.raw`[QF]\d+x|\b${approval.tool}\b`, 'g');

const pick = <T>(random: Random, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('Nothing to pick from');
  return one;
};

/** What the monkey did, and what became of it. */
export type MonkeyTrip = { readonly keys: number; readonly decided: ReadonlyMap<string, number> };

/**
 * Presses random keys on the screen of a sprint, resizes it, and has things happen in its log, by a clock of its own. Fails
 * with the seed and the last steps when the screen draws beyond the terminal, ends with an error, or records what no key
 * asked for.
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
  readonly #marks = new Map<string, string>();
  readonly #unasked: unknown[] = [];
  readonly #steps: string[] = [];
  readonly #output = createAgentOutput();
  #number = 0;
  #terminal = new OversizeTerminal(80, 24);
  #stdin = new FakeStdin();
  #shown: Promise<unknown> | undefined;
  #failure: unknown;
  #seen: Seen = { hints: '', shown: new Set() };
  #isOpen = false;
  /** Keys were pressed since a frame was seen. */
  #isBlind = false;
  /** In ms of its clock. */
  #sinceResize = 0;

  constructor(project: Project, stream: string, seed: number) {
    this.#project = project;
    this.#stream = stream;
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async play(keys: number): Promise<MonkeyTrip> {
    const unsubscribe = this.#project.subscribe((events) =>
      this.#unasked.push(...this.#oracle.recorded(events, (id) => this.#marks.get(id))),
    );
    let pressed = 0;
    while (pressed < keys) {
      if (!this.#isOpen) await this.#open();
      pressed += await this.#step();
      this.#check();
    }
    await this.#close();
    this.#check();
    unsubscribe();
    return { keys: pressed, decided: this.#oracle.decided };
  }

  async #step(): Promise<number> {
    const at = this.#random();
    if (at < 0.08) await this.#happen();
    else if (at < 0.1) this.#resize();
    else if (at < 0.4) await this.#wait(pick(this.#random, waits));
    else {
      const chunk = this.#chunk();
      this.#note(`press ${JSON.stringify(chunk)}`);
      this.#oracle.pressed(chunk, this.#seen, this.#isBlind);
      this.#isBlind = true;
      this.#stdin.write(chunk);
      await this.#turn();
      return Array.from(chunk).length > 6
        ? 1
        : Math.max(1, chunk.startsWith('\u001B') ? 1 : Array.from(chunk).length);
    }
    return 0;
  }

  /** One key, mostly one that is named on the screen; or several, a paste, or a piece of a sequence. */
  #chunk(): string {
    const random = this.#random;
    const at = random();
    if (at < 0.35) return this.#named() ?? bytesOf(pick(random, keyNames));
    if (at < 0.8) return bytesOf(pick(random, keyNames));
    if (at < 0.9) return pick(random, words);
    if (at < 0.93) return `${pick(random, words)}\r`;
    if (at < 0.96)
      return `\u001B[200~${pick(random, words).repeat(1 + Math.floor(random() * 40))}\u001B[201~`;
    return pick(random, fragments);
  }

  #named(): string | undefined {
    const names = this.#seen.hints.split(' · ').flatMap((hint) => {
      const key = hint.trim().split(' ')[0] ?? '';
      if (/^[A-Za-z0-9?/]$/.test(key))
        return [/[A-Z]/.test(key) && this.#random() < 0.5 ? key.toLowerCase() : key];
      if (key === 'Enter') return ['\r'];
      if (key === 'Esc') return [bytesOf('escape')];
      if (key === 'Tab') return ['\t'];
      if (key.includes('PgDn')) return [bytesOf('pagedown')];
      const control = /^\^([A-Z])$/.exec(key)?.[1];
      return control === undefined ? [] : [bytesOf(`ctrl+${control.toLowerCase()}`)];
    });
    return names.length === 0 ? undefined : pick(this.#random, names);
  }

  #resize(): void {
    const [columns, rows] = pick(this.#random, sizes);
    this.#note(`resize to ${columns}×${rows}`);
    this.#terminal.resizeTo(columns, rows);
    this.#sinceResize = 0;
  }

  async #wait(ms: number): Promise<void> {
    this.#note(`wait ${ms}`);
    await vi.advanceTimersByTimeAsync(ms);
    this.#sinceResize += ms;
    await this.#turn();
    this.#look();
  }

  /** What has been drawn by now is what a person has seen. */
  #look(): void {
    // What is half drawn is not read.
    if (!this.#terminal.isDirty || this.#sinceResize < 40) return;
    const lines = this.#terminal.lines;
    const text = lines.join('\n');
    const shown = new Set(text.match(marksOfRequests) ?? []);
    // Of a text that is scrolled its beginning was seen before.
    const isScrolled = /lines (?:[2-9]|1\d)/.test(text) || !/Tool {2,}/.test(text);
    if (isScrolled) for (const mark of this.#seen.shown) shown.add(mark);
    this.#seen = { hints: lines.at(-1) ?? '', shown };
    this.#isBlind = false;
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
    this.#isOpen = true;
    this.#seen = { hints: '', shown: new Set() };
    const shown = showTestSprint(this.#project, {
      stream: this.#stream,
      owner: this.#random() < 0.7,
      live: this.#output,
      openEditor: () => Promise.resolve(this.#random() < 0.5 ? { text: 'edited' } : { problem: 'no editor' }),
      stdin: this.#stdin as unknown as NodeJS.ReadStream,
      stdout: this.#terminal as unknown as NodeJS.WriteStream,
    });
    this.#shown = shown.then(
      () => (this.#isOpen = false),
      (error: unknown) => {
        this.#failure = error;
        this.#isOpen = false;
      },
    );
    await this.#wait(50);
  }

  /** As when the terminal is gone. */
  async #close(): Promise<void> {
    // Terminals end each paste that they begin.
    this.#stdin.write('\u001B[201~');
    for (let tries = 0; this.#isOpen && tries < 20; tries += 1) {
      this.#stdin.write('\u0003');
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
    // What stood there before is gone with the next frame.
    const beyond = this.#isOpen && this.#sinceResize >= 40 ? this.#terminal.beyond : undefined;
    if (beyond !== undefined) throw new Error(this.#story(`drawn beyond the terminal: ${beyond}`));
  }

  #note(step: string): void {
    this.#steps.push(step);
    if (this.#steps.length > 40) this.#steps.shift();
  }

  #story(what: string): string {
    const frame = this.#terminal.lines.join('\n');
    return `${what} (seed ${this.#seed}), after:\n${this.#steps.join('\n')}\nseen: ${this.#seen.hints}\n${frame}`;
  }

  /** Something that others do. What the log refuses does not happen. */
  async #happen(): Promise<void> {
    const deeds = [
      () => this.#ask(),
      () => this.#ask(),
      () => this.#askAboutCall(),
      () => this.#askAboutCall(),
      () => this.#closeOne(),
      () => this.#leaveOne(),
      () => this.#moveTask(),
      () => Promise.resolve(this.#write()),
    ];
    try {
      await pick(this.#random, deeds)();
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
    }
  }

  get #agent() {
    return { id: 'a1', client: 'demo-agent' };
  }

  #task(): string {
    return pick(this.#random, ['parser', 'docs', 'schema']);
  }

  async #ask(): Promise<void> {
    if (openRequests(this.#project.state).length > 4) return;
    const mark = `Q${(this.#number += 1)}x`;
    this.#note(`ask ${mark}`);
    const long = this.#random() < 0.2 ? '\nmore of it'.repeat(60) : '';
    const options = this.#random() < 0.5 ? ['LL', 'LR', 'a long option '.repeat(8)] : [];
    const question = {
      kind: 'help',
      task: this.#task(),
      question: `${mark} which grammar?${long}`,
      options,
    } as const;
    const { id } = await ask(this.#project, { stream: this.#stream, agent: this.#agent, ...question });
    this.#marks.set(id, mark);
  }

  async #askAboutCall(): Promise<void> {
    if (openRequests(this.#project.state).length > 4) return;
    const mark = `F${(this.#number += 1)}x`;
    this.#note(`ask about call ${mark}`);
    const content =
      this.#random() < 0.3 ? Array.from({ length: 50 }, (_, at) => `line ${at}`) : '\u001B[2J\u202E';
    // Its name stands in the first row of the card. Of some it is the same: those are decided together.
    const isAlike = this.#random() < 0.4;
    const tool = isAlike ? approval.tool : `write_${mark}`;
    const call = {
      ...approval,
      tool,
      callId: mark,
      callDigest: mark,
      args: { path: `${mark}.txt`, content },
    };
    const { id } = await askApproval(this.#project, {
      stream: this.#stream,
      taskId: this.#task(),
      agent: this.#agent,
      approval: call,
    });
    this.#marks.set(id, isAlike ? approval.tool : mark);
  }

  async #closeOne(): Promise<void> {
    const { id, asked } = openRequests(this.#project.state)[0] ?? {};
    if (id === undefined) return;
    this.#note(`close ${this.#marks.get(id)} elsewhere`);
    const bob = { by: 'bob', via: 'cli' };
    const at = this.#random();
    if (at < 0.3) await dismissRequest(this.#project, id, bob);
    else if (!asked?.approval) await answerRequest(this.#project, id, { ...bob, response: 'LL' });
    else if (at < 0.7) await approve(this.#project, id, { ...bob, scope: 'once' });
    else await deny(this.#project, id, bob);
  }

  async #leaveOne(): Promise<void> {
    const [open] = openRequests(this.#project.state);
    const request = open && requestById(this.#project.state, open.id);
    if (!request) return;
    if (this.#random() < 0.5) await recordAttached(this.#project, request, 'a1');
    else await recordDetached(this.#project, request, { agentId: 'a1', why: 'cancelled' });
  }

  async #moveTask(): Promise<void> {
    const task = this.#task();
    this.#note(`move ${task}`);
    const subject = `${this.#stream}/${task}`;
    if (this.#random() < 0.4) {
      await retryTasks(this.#project, { stream: this.#stream, by: 'bob', taskId: task });
      return;
    }
    const isEnd = this.#random() < 0.3;
    await this.#project.dispatch(this.#stream, (state) => {
      const sprint = state.streams.get(this.#stream);
      const found = sprint?.tasks.get(task);
      if (!sprint || !found) return [];
      if (isEnd) return [{ type: 'task.completed', subject, data: { by: 'agent' } }];
      return startTask(sprint, found, { by: 'runner' });
    });
  }

  #write(): void {
    this.#output.append(
      this.#task(),
      `\u001B[3${Math.floor(this.#random() * 8)}mline ${'x'.repeat(Math.floor(this.#random() * 300))}\n`,
    );
  }
}
