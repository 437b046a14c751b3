import console from 'node:console';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Project } from '../../../src/workflow/project/project.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';
import { approval } from '../../helpers/approval.ts';
import { fact } from '../../helpers/facts.ts';
import { openScreen, type OwnScreen } from '../../helpers/pty-screen.ts';
import { showTestSprint } from '../../helpers/show-test-sprint.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

const escape = '\u001B';
const ctrlC = '\u0003';
const ctrlX = '\u0018';

beforeEach(() => void vi.stubGlobal('console', console));
afterEach(() => void vi.unstubAllGlobals());

type Place = {
  readonly waits?: 'question' | 'call';
  readonly isOver?: true;
  /** The keys that lead there, each with what is to be seen before the next. */
  readonly way: readonly (readonly [keys: string, seen: string | RegExp])[];
  /** How often Ctrl+C is pressed until the run is stopped: a text, a box, a question that asks whether. */
  readonly presses: number;
};

const inCall = ['', 'Y allow once'] as const;
const places: Readonly<Record<string, Place>> = {
  watching: { way: [['', '● active']], presses: 2 },
  'an answer': {
    waits: 'question',
    way: [
      ['', 'Enter answer'],
      ['half', '> half'],
    ],
    presses: 3,
  },
  'the reason against a question': {
    waits: 'question',
    way: [
      ['', 'Enter answer'],
      ['\u0012', 'Enter reject'],
    ],
    presses: 3,
  },
  'whether it is dismissed': {
    waits: 'question',
    way: [
      ['', 'Enter answer'],
      [ctrlX, 'y dismiss'],
    ],
    presses: 3,
  },
  'a card that takes nothing yet': { waits: 'call', way: [['', 'May this call run?']], presses: 2 },
  'a card': { waits: 'call', way: [inCall], presses: 2 },
  'how far a yes goes': { waits: 'call', way: [inCall, ['a', '1 task']], presses: 3 },
  'a call that is changed': { waits: 'call', way: [inCall, ['e', 'Enter allow as changed']], presses: 4 },
  'a question to the agent': { waits: 'call', way: [inCall, ['w', 'Enter ask the agent']], presses: 3 },
  'whether a task is cancelled': {
    way: [
      ['', '● active'],
      ['X', 'Cancel parser ━'],
      ['\r', 'y cancel it'],
    ],
    presses: 3,
  },
  'what becomes of the run': {
    way: [
      ['', '● active'],
      ['q', 'q stop it'],
    ],
    presses: 1,
  },
  help: {
    way: [
      ['', '● active'],
      ['?', 'Esc back'],
    ],
    presses: 3,
  },
  'the palette': {
    way: [
      ['', '● active'],
      [':', 'Enter do it'],
      ['stat', '> stat'],
    ],
    presses: 4,
  },
  'a filter': {
    way: [
      ['', '● active'],
      ['/', 'Enter keep'],
      ['par', '/par'],
    ],
    presses: 4,
  },
  'the past': {
    way: [
      ['', '● active'],
      [`${escape}[D`, /event \d+ of \d+/],
    ],
    presses: 2,
  },
  'the diagram of a task': {
    way: [
      ['', '● active'],
      ['6', /\[6 ?States\]/],
    ],
    presses: 2,
  },
  'how it ended': { isOver: true, way: [['', 'Summary']], presses: 1 },
};

it.each(Object.entries(places))(
  'Ctrl+C leads out of %s, and the terminal is as it was',
  async (_where, place) => {
    const { project, stream } = await projectWithSprint({ tasks: ['parser'] });
    await begin(project, stream, place);
    const screen = openScreen({ columns: 100, rows: 30 });
    const onStop = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const ended = place.isOver ? Promise.resolve({ stays: true }) : new Promise<never>(() => {});
    const shown = showTestSprint(project, { stream, owner: true, ended, onStop, ...screen });
    for (const [keys, seen] of place.way) {
      if (keys !== '') screen.press(keys);
      await screen.see(seen);
    }
    expect(modesLeftOn(screen.bytes())).toEqual([
      'the screen of programs',
      'a hidden cursor',
      'bracketed paste',
    ]);
    for (let press = 1; press <= place.presses; press += 1) {
      expect(onStop).not.toHaveBeenCalled();
      await pressAndWait(screen);
    }
    expect(await shown).toBe(place.isOver ? 'ended' : 'stopped');
    expect(onStop).toHaveBeenCalledTimes(place.isOver ? 0 : 1);
    await screen.shown();
    expect(modesLeftOn(screen.bytes())).toEqual([]);
    expect(screen.buffer()).toBe('normal');
    expect(screen.stdin.isRaw).toBe(false);
  },
);

/** The next is a press of its own. */
async function pressAndWait(screen: OwnScreen): Promise<void> {
  screen.press(ctrlC);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** An agent is at work, and may wait for a human. */
async function begin(project: Project, stream: string, { waits }: Place): Promise<void> {
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get('parser');
    if (!sprint || !task) return [];
    const agent = { subject: `${stream}/parser`, ...fact('agent.started', { runId: 'run-1' }) };
    return [...startTask(sprint, task, { by: 'runner', runId: 'run-1' }), agent];
  });
  const asker = { stream, agent: { id: 'a1', client: 'demo-agent' } };
  if (waits === 'question')
    await ask(project, { ...asker, kind: 'help', task: 'parser', question: 'Which?' });
  if (waits === 'call')
    await askApproval(project, {
      ...asker,
      taskId: 'parser',
      approval: { ...approval, args: { command: 'make' } },
    });
}
