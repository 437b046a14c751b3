import console from 'node:console';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunCommand } from '../../../src/tui/palette/run-commands.ts';
import type { Focus } from '../../../src/tui/screen/focus.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { openSprint, parserAtWork } from '../../helpers/parser-screen.ts';
import { pressAlone, type ScreenSize } from '../../helpers/pty-screen.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

const escape = '\u001B';
const ctrlC = '\u0003';
const ctrlX = '\u0018';

beforeEach(() => void vi.stubGlobal('console', console));
afterEach(() => void vi.unstubAllGlobals());

/** Where keys go once the keys of the way to it were pressed, each with what is to be seen before the next. */
type Place = {
  readonly where: string;
  readonly waits?: 'question' | 'form' | 'call' | 'calls';
  readonly isOver?: true;
  /** Its agents are being stopped, and Ctrl+C ends them. */
  readonly isStopping?: true;
  readonly size?: ScreenSize;
  readonly way: readonly (readonly [keys: string, seen: string | RegExp])[];
  /** Somebody else answers then what waits. */
  readonly isAnswered?: true;
  /** How often Ctrl+C is pressed until the run is stopped: a text, a box, a question that asks whether. */
  readonly presses: number;
};

const active = ['', '● active'] as const;
const inBox = ['', 'Enter answer'] as const;
const inCall = ['', 'Y allow once'] as const;
const inPast = [`${escape}[D`, /event \d+ of \d+/] as const;

const places: Readonly<Record<Focus['at'], readonly [Place, ...Place[]]>> = {
  sprint: [
    { where: 'watching', way: [active], presses: 2 },
    { where: 'the past', way: [active, inPast], presses: 2 },
    { where: 'the diagram of a task', way: [active, ['6', /\[6 ?States\]/]], presses: 2 },
    {
      where: 'a terminal that is too small',
      size: { columns: 38, rows: 9 },
      way: [['', 'Terminal too small']],
      presses: 2,
    },
    {
      where: 'a run that is being stopped',
      isStopping: true,
      way: [active, [ctrlC, 'Ctrl+C again stops'], [ctrlC, /, \d+ s left\. Ctrl\+C again ends it/]],
      presses: 1,
    },
  ],
  answer: [
    { where: 'an answer', waits: 'question', way: [inBox, ['half', '> half']], presses: 3 },
    { where: 'a form', waits: 'form', way: [['', 'Enter next']], presses: 2 },
    {
      where: 'all answers of a form',
      waits: 'form',
      way: [
        ['', 'Enter next'],
        [`${escape}[D`, 'Enter send'],
      ],
      presses: 2,
    },
  ],
  reject: [
    {
      where: 'the reason against a question',
      waits: 'question',
      way: [inBox, ['\u0012', 'Enter reject']],
      presses: 3,
    },
  ],
  rephrase: [
    {
      where: 'what is unclear about a question',
      waits: 'question',
      way: [inBox, ['\u000F', 'Asking for other words']],
      presses: 3,
    },
  ],
  confirm: [
    {
      where: 'whether a question is dismissed',
      waits: 'question',
      way: [inBox, [ctrlX, 'y dismiss']],
      presses: 3,
    },
  ],
  closed: [
    {
      where: 'a question that somebody else has closed',
      waits: 'question',
      way: [inBox, ['half', '> half']],
      isAnswered: true,
      presses: 2,
    },
  ],
  arming: [
    {
      where: 'a card that takes nothing yet',
      waits: 'call',
      way: [['', 'May this call run?']],
      presses: 2,
    },
  ],
  decide: [{ where: 'a card', waits: 'call', way: [inCall], presses: 2 }],
  scope: [{ where: 'how far a yes goes', waits: 'call', way: [inCall, ['a', '1 task']], presses: 3 }],
  batch: [{ where: 'calls that are alike', waits: 'calls', way: [inCall, ['s', 'Y allow all']], presses: 3 }],
  edit: [
    {
      where: 'a call that is changed',
      waits: 'call',
      way: [inCall, ['e', 'Enter allow as changed']],
      presses: 4,
    },
  ],
  explain: [
    {
      where: 'a question to the agent',
      waits: 'call',
      way: [inCall, ['w', 'Enter ask the agent']],
      presses: 3,
    },
  ],
  act: [
    {
      where: 'the reason why a task is cancelled',
      way: [active, ['X', 'Cancel parser ━']],
      presses: 3,
    },
    { where: 'a note', way: [active, ['M', 'Enter send'], ['half', '> half']], presses: 4 },
  ],
  'act-sure': [
    {
      where: 'whether a task is cancelled',
      way: [active, ['X', 'Cancel parser ━'], ['\r', 'y cancel it']],
      presses: 3,
    },
  ],
  stop: [{ where: 'what becomes of the run', way: [active, ['q', 'q stop it']], presses: 1 }],
  help: [{ where: 'help', way: [active, ['?', 'Esc back']], presses: 3 }],
  palette: [{ where: 'the palette', way: [active, [':', 'Enter do it'], ['stat', '> stat']], presses: 4 }],
  result: [
    {
      where: 'what a command says',
      way: [active, [':', 'Enter do it'], ['/status', '> /status'], ['\r', 'as it said']],
      presses: 3,
    },
  ],
  filter: [{ where: 'a filter', way: [active, ['/', 'Enter keep'], ['par', '/par']], presses: 4 }],
  goal: [{ where: 'a time to go to', way: [active, inPast, ['t', 'Go to event or time']], presses: 3 }],
  over: [{ where: 'how it ended', isOver: true, way: [['', 'Summary']], presses: 1 }],
};

it.each(Object.values(places).flat())(
  'Ctrl+C leads out of $where, and the terminal is as it was',
  async (place) => {
    const { project, stream } = await parserAtWork();
    const asked = await askIn(project, stream, place);
    const agents = Promise.withResolvers<void>();
    const onKill = vi.fn<() => void>(() => agents.resolve());
    const onStop = vi.fn<() => Promise<void>>(() => (place.isStopping ? agents.promise : Promise.resolve()));
    const ended = place.isOver ? Promise.resolve({ stays: true }) : new Promise<never>(() => {});
    const runCommand: RunCommand = (_argv, { onOutput }) => {
      onOutput('as it said');
      return Promise.resolve({ how: 'done' });
    };
    const options = { stream, owner: true, ended, onStop, onKill, runCommand, graceMs: 60_000 };
    const { screen, left } = openSprint(project, { columns: 100, rows: 30, ...place.size }, options);
    for (const [keys, seen] of place.way) {
      if (keys !== '') screen.press(keys);
      await screen.see(seen);
    }
    if (place.isAnswered) {
      for (const id of asked) await answerRequest(project, id, { response: 'so', by: 'bob', via: 'cli' });
      await screen.see('Esc goes on');
    }
    expect(modesLeftOn(screen.bytes())).toEqual([
      'the screen of programs',
      'a hidden cursor',
      'bracketed paste',
    ]);
    const ends = place.isStopping ? onKill : onStop;
    for (let press = 1; press <= place.presses; press += 1) {
      expect(ends).not.toHaveBeenCalled();
      await pressAlone(screen, ctrlC);
    }
    expect(await left).toBe(place.isOver ? 'ended' : 'stopped');
    expect(ends).toHaveBeenCalledTimes(place.isOver ? 0 : 1);
    await screen.shown();
    expect(modesLeftOn(screen.bytes())).toEqual([]);
    expect(screen.buffer()).toBe('normal');
    expect(screen.stdin.isRaw).toBe(false);
  },
);

/** The agent may wait for a human. Returns the ids of what it asks. */
async function askIn(project: Project, stream: string, { waits }: Place): Promise<readonly string[]> {
  const asker = { stream, agent: { id: 'a1', client: 'demo-agent' } };
  const question = { ...asker, kind: 'help', task: 'parser', question: 'Which?' } as const;
  const call = (callId: string) =>
    askApproval(project, {
      ...asker,
      taskId: 'parser',
      approval: { ...approval, callId, callDigest: callId, args: { command: `make ${callId}` } },
    });
  const asks = {
    question: () => [ask(project, question)],
    form: () => [ask(project, { ...question, questions: [...storeForm] })],
    call: () => [call('call-1')],
    calls: () => [call('call-1'), call('call-2')],
  };
  const asked = await Promise.all(waits === undefined ? [] : asks[waits]());
  return asked.map(({ id }) => id);
}
