import { expect, it, onTestFinished, vi } from 'vitest';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { enterSprint } from '../../../src/workflow/sprint/enter-sprint.ts';
import { projectWithSprint, writeSprint } from '../../helpers/temp-project.ts';
import { modesLeftOn } from '../../helpers/terminal-modes.ts';

const escape = '\u001B';
const ctrlC = '\u0003';

/** Keys, each with what is to be seen before the next. */
type Way = readonly (readonly [keys: string, seen: string | RegExp])[];

type Place = {
  /** The command whose screen it is of. */
  readonly command: string;
  readonly way: Way;
  /** What is pressed before the q, and before the Ctrl+C, that leaves. */
  readonly q?: Way;
  readonly ctrlC?: Way;
};

const list = /q leave/;
const attach = (sprint: string, ...way: Way): Pick<Place, 'command' | 'way'> => ({
  command: `attach ${sprint}`,
  way,
});

const places: Readonly<Record<string, Place>> = {
  'the overview': { command: '', way: [['', list]] },
  'the list of tasks': attach('idle', ['', list]),
  'a question with a draft': {
    ...attach('asks', ['', 'Enter answer'], ['half', '> half']),
    q: [[escape, list]],
    ctrlC: [[ctrlC, /> +\S.*answer/]],
  },
  'a call that can be decided': { ...attach('calls', ['', / Y allow once/]), q: [[escape, list]] },
  help: {
    ...attach('idle', ['', list], ['?', 'Esc back']),
    q: [['q', list]],
    ctrlC: [[ctrlC, list]],
  },
  'the palette': {
    ...attach('idle', ['', list], [':', 'Enter do it'], ['stat', '> stat']),
    q: [[escape, list]],
    ctrlC: [
      [ctrlC, /> +What to do/],
      [ctrlC, list],
    ],
  },
  'the past': attach('calls', ['', / Y allow once/], [escape, list], [`${escape}[D`, /event \d+ of \d+/]),
  'whether a task is skipped': {
    ...attach('idle', ['', list], ['S', 'Skip a'], ['\r', 'y skip it']),
    q: [
      [escape, 'Enter skip it…'],
      [escape, list],
    ],
    ctrlC: [[ctrlC, list]],
  },
  'how a run ended': { command: 'run ends-$key --agent-cmd /bin/false', way: [['', 'Summary']] },
};

/** Runs the commands that are typed, and says how each ended, and whether the terminal is as it was before. */
const shell = `
  before=$(stty -a)
  while read -r line; do
    "$node" "$clifford" $line
    code=$?
    [ "$(stty -a)" = "$before" ] && echo "as it was, $code" || stty -a
  done`;

it('a terminal is as it was behind each place of the screen that is left, by q and by Ctrl+C', async () => {
  const { root, project } = await projectWithSprint({ id: 'idle', tasks: ['a'] });
  for (const id of ['asks', 'calls', 'ends-q', 'ends-ctrlC']) await writeSprint(root, { id, tasks: ['a'] });
  const agent = { id: 'session-1', client: 'opencode' };
  for (const id of ['asks', 'calls'])
    await enterSprint(project, findSprintFolder(await listSprintFolders(root), id));
  await ask(project, { stream: 'asks', agent, kind: 'help', question: 'Which port?' });
  await askApproval(project, { stream: 'calls', agent, approval });
  const screen = openPty('/bin/bash', ['-c', shell], {
    cwd: root,
    columns: 100,
    rows: 30,
    env: { node: process.execPath, clifford: cliFile },
  });
  onTestFinished(screen.kill);
  const go = async (way: Way) => {
    for (const [keys, seen] of way) {
      if (keys !== '') screen.press(keys);
      await screen.see(seen);
    }
  };
  let left = 0;
  for (const [where, { command, way, ...leaving }] of Object.entries(places)) {
    for (const [name, key] of [
      ['q', 'q'],
      ['ctrlC', ctrlC],
    ] as const) {
      screen.press(`${command.replace('$key', name)}\r`);
      await go(way);
      expect([where, modesLeftOn(screen.bytes())]).toEqual([
        where,
        expect.arrayContaining(['the screen of programs', 'a hidden cursor']),
      ]);
      await go(leaving[name] ?? []);
      screen.press(key);
      left += 1;
      const ends = () => screen.bytes().match(/as it was, \d+|speed .*/g) ?? [];
      await vi.waitFor(() => expect([where, name, ends().length]).toEqual([where, name, left]), {
        timeout: 15_000,
      });
      const code = command.startsWith('run') ? 1 : 0;
      expect([where, name, ends().at(-1)]).toEqual([where, name, `as it was, ${code}`]);
      expect([where, name, modesLeftOn(screen.bytes())]).toEqual([where, name, []]);
      await vi.waitFor(() => expect(screen.buffer()).toBe('normal'));
    }
  }
});
