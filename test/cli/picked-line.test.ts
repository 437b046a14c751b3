import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { freshSprint } from '../helpers/sprint-run.ts';

const COLUMNS = 80;
// oxlint-disable-next-line no-control-regex -- this is how a terminal is told
const bars = /\u001B\[7m(.*?)\u001B\[27m/g;
// oxlint-disable-next-line no-control-regex -- the same
const styles = /\u001B\[[\d;]*m/g;

it.each([{}, { NO_COLOR: '1' }])(
  'the picked line is a bar of one colour where keys move, with %j',
  async (env) => {
    const { root, project } = await freshSprint();
    const agent = { id: 'session-1', client: 'opencode' };
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which port?' });
    const screen = openPty(process.execPath, [cliFile], {
      cwd: root,
      columns: COLUMNS,
      env: { FORCE_COLOR: '1', ...env },
    });
    onTestFinished(screen.kill);
    await screen.see(/› *\? question +opencode +Which port\?/);
    const lastBar = () => [...screen.bytes().matchAll(bars)].at(-1)?.[1] ?? '';
    expect(lastBar()).toMatch(/^›.*Which port\?/);
    expect(lastBar().replaceAll(styles, '')).toHaveLength(COLUMNS);
    // Nothing in it is of another colour, and no more than bold.
    expect(new Set(lastBar().match(styles))).toEqual(new Set(['\u001B[1m', '\u001B[22m']));
    screen.press('\t');
    await screen.see(/^›○/m);
    expect(lastBar()).toMatch(/^›○ pending/);
    screen.press('q');
    expect(await screen.exited).toBe(0);
  },
);
