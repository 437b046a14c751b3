import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cliFile } from '../../../helpers/clifford-process.ts';
import { keyWalkProject } from '../../../helpers/key-walk-project.ts';
import { at, hinted, KeyWalk } from '../../../helpers/key-walk.ts';
import { openPty } from '../../../helpers/pty-screen.ts';
import { agentCmd } from '../../../helpers/sprint-run.ts';
import { walkOverview } from './walk-overview.ts';
import { walkCalls } from './walk-calls.ts';
import { walkPast } from './walk-past.ts';
import { askQuestions, walkQuestions } from './walk-questions.ts';
import { walkRun } from './walk-run.ts';
import { walkSprint } from './walk-sprint.ts';

/** Runs it as a shell does: Ctrl+Z suspends it, and Enter lets it go on; and says how it ended. */
const shell = `
  set -m
  "$@"
  code=$?
  if [ $code -gt 146 ]; then echo suspended; read -r _; fg >/dev/null; code=$?; fi
  echo "left with $code"
  read -r _`;

/**
 * Presses keys of `clifford` on a terminal of this size, in its overview, the screens of sprints and of a run, now and in the past:
 * each has to do there what it is bound to. Returns which were pressed.
 *
 * @throws {Error} with the screen, where a key does not.
 */
export async function pressKeys(size: {
  readonly columns: number;
  readonly rows: number;
}): Promise<ReadonlySet<string>> {
  const { root, project } = await keyWalkProject();
  await askQuestions(project);
  const editor = join(root, 'editor.sh');
  await writeFile(editor, '#!/bin/sh\nprintf edited >> "$1"\n', { mode: 0o755 });
  const open = () => {
    const screen = openPty('/bin/bash', ['-c', shell, 'bash', process.execPath, cliFile], {
      cwd: root,
      ...size,
      env: {
        CLIFFORD_AGENT_CMD: agentCmd('fail-or-hang', 'only'),
        USER: 'ada',
        TMUX: '',
        KITTY_WINDOW_ID: '',
        EDITOR: editor,
        VISUAL: '',
      },
    });
    onTestFinished(screen.kill);
    return screen;
  };
  const walk = new KeyWalk(open());
  const again = async () => {
    await walk.type('\r', () => true);
    walk.on(open());
    await walk.see('the overview', at('overview lists'));
  };
  await walk.see('the overview', at('overview lists'));
  const stage = { walk, project, again };
  await walkOverview(stage);
  await walk.press('overview lists', 'tab', at('overview lists'));
  await walk.press('overview lists', 'j', at('overview lists'));
  await walk.press('overview lists', 'right', at('sprint'));
  await walkSprint(stage);
  await walkPast(stage);
  await walk.press('sprint', 'q', at('overview lists'));
  await walk.press('overview lists', 'tab', hinted(/Enter look/));
  await walk.press('overview lists', 'enter', at('answer'));
  await walkQuestions(stage);
  await walkCalls(stage);
  await walkRun(stage);
  return walk.pressed;
}
