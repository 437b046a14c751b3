import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clifford, cliFile, followClifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { openPty } from '../helpers/pty-screen.ts';
import type { PtyScreen } from '../helpers/pty-screen.ts';
import { agentCmd } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const ctrlC = '\u0003';
const readyForAnswer = 'Enter answer';

let screen: PtyScreen | undefined;

afterEach(async () => {
  screen?.kill();
  await screen?.exited;
  screen = undefined;
});

/** Runs `clifford` in a terminal, where no `CI` says that nobody looks at it. */
function inTerminal(args: readonly string[], cwd: string, size = { columns: 120, rows: 40 }): PtyScreen {
  const env = ['-u', 'CI', '-u', 'NO_COLOR', 'USER=ada', 'CLIFFORD_DEMO_PACE_MS=50'];
  screen = openPty('/usr/bin/env', [...env, process.execPath, cliFile, ...args], {
    cwd,
    ...size,
  });
  return screen;
}

/** The words of a picture, line by line. */
function textOf(picture: string): string {
  const words = [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  return words.join('\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('clifford demo in a terminal', () => {
  it('lets the person answer and allow on the screen, and leaves a summary there', async () => {
    const root = join(await tempRoot(), 'demo');
    const asked = ['demo', '--keep', root, '--mouse', '--theme', 'none'];
    const { see, press, buffer, exited, lines, bytes } = inTerminal(asked, '/');
    await see(/Which language should be the default/);
    expect(buffer()).toBe('alternate');
    // As the command line has it.
    expect(bytes()).toContain('\u001B[?1000h');
    expect(bytes()).not.toContain('\u001B[33m');
    await see(readyForAnswer);
    press('4');
    await see('Sends option 4: spanish');
    press('\r');
    await see('May this call run?');
    await see('Y allow once');
    press('N');
    await see('Reason, if you like');
    press('Too early');
    await see('> Too early');
    press('\r');
    await see(/Asked +1 question, 1 approval/);
    await see(/Files +\d files changed, in 3 commits/);
    press('q');
    expect(await exited).toBe(0);

    expect(buffer()).toBe('normal');
    const summary = lines().join('\n');
    expect(summary).toMatch(
      /demo completed, 3 of 3 tasks done, 1 question answered, 1 call denied, waited [\d.]+ s for\s+humans/,
    );
    expect(summary).toMatch(/✔ done +module .*\n +✔ done +program .*\n +✔ done +changelog /);
    expect(summary).toMatch(/Decided +program: Which .* → spanish \(ada\)\n/);
    expect(summary).toMatch(/→ denied: Too early \(ada\)\n/);
    expect(summary).toMatch(/ events, verified: [^]*To remove it:\n {2}rm -r /);
    expect(await readFile(join(root, 'src/hello.mjs'), 'utf8')).toContain('language = "spanish"');
    const { out } = await clifford(['replay'], { cwd: root });
    expect(out).toMatch(/help\.answered .* ada on the screen: spanish\n/);
  });

  it('says what was published where the person has changed the call', async () => {
    const root = join(await tempRoot(), 'demo');
    const { see, press, exited, lines } = inTerminal(['demo', '--keep', root], '/');
    await see(readyForAnswer);
    press('4');
    await see('Sends option 4: spanish');
    press('\r');
    await see('May this call run?');
    // Asked about it, the agent explains it and makes it again.
    expect(
      await clifford(['explain', 'last', 'Which version was the last one?'], { cwd: root }),
    ).toMatchObject({
      err: '',
      code: 0,
    });
    await see('nothing was published before');
    const args = JSON.stringify({ version: '1.0.1', notes: 'Other words' });
    const waiting = await clifford(['questions', '--json'], { cwd: root });
    const [{ id }] = JSON.parse(waiting.out) as [{ id: string }];
    const approved = await clifford(['approve', id, '--args', args, '--json'], { cwd: root });
    expect(approved).toMatchObject({ err: '', code: 0 });
    await see('q leave');
    press('q');
    expect(await exited).toBe(0);
    const summary = lines().join('\n');
    expect(summary).toMatch(/→ allowed as changed.* \(ada\)\n/);
    expect(await readFile(join(root, 'published/1.0.1.md'), 'utf8')).toContain('Other words');
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toContain('## 1.0.1\n');
  });

  it('looks as the picture of the README shows it, stops at Ctrl-C with 130, says how to go on, and can be resumed', async () => {
    const picture = await readFile(join(import.meta.dirname, '../../docs/pictures/question.svg'), 'utf8');
    const root = join(await tempRoot(), 'demo');
    const size = { columns: 100, rows: 30 };
    const { see, press, exited, lines, resize } = inTerminal(['demo', '--keep', root], '/', size);
    await see(readyForAnswer);
    await see('waiting for the answer …');
    // How long it waits is another time each time; a picture has no blanks, and draws its rules as lines.
    const still = (text: string) =>
      text
        .replaceAll(/[\d.]+ m?s\b/g, '0 s')
        .replaceAll(/[\s\u2500-\u257F]+/g, '')
        .replaceAll(/pid\d+/g, 'pid');
    expect(still(lines().join(''))).toBe(still(textOf(picture)));

    // What it says last has room in its lines then.
    resize(120, 40);
    press(ctrlC);
    await see('Ctrl+C again stops 1 agent');
    press(ctrlC);
    expect(await exited).toBe(130);
    // In the folder where it was called, and without anything on the PATH.
    const typed = `cd ${root} && ${process.execPath} ${cliFile}`;
    expect(lines().join('')).toMatch(new RegExp(`To go on, .*  ${typed} mcp trust  ${typed} run`));

    await clifford(['answer', 'last', 'German'], { cwd: root });
    // Not trusted yet: what the release needs is not there, and it stays unpublished.
    expect(await clifford(['run'], { cwd: root })).toMatchObject({ code: 0 });
    expect(existsSync(join(root, 'published'))).toBe(false);
    expect(await readFile(join(root, 'src/hello.mjs'), 'utf8')).toContain('language = "german"');
    expect((await stat(join(root, 'CHANGELOG.md'))).isFile()).toBe(true);
  });
});

describeOnEachEngine('clifford run in a terminal', () => {
  it('prints an error of the input on the normal screen', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    const { exited, buffer, lines } = inTerminal(['run', '--agent-cmd', 'no-such-agent'], root);
    expect(await exited).toBe(2);
    expect(buffer()).toBe('normal');
    expect(lines().join('\n')).toContain('clifford: Cannot start agent command no-such-agent');
  });

  it('prints lines when it is told to, and colours them', async () => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    const { exited, bytes } = inTerminal(['run', '--plain', '--agent-cmd', agentCmd('complete')], root);
    expect(await exited).toBe(0);
    expect(bytes()).toContain('did a');
    expect(bytes()).toContain('\u001B[');
    expect(bytes()).not.toContain('\u001B[?1049h');
  });
});

describeOnEachEngine('clifford attach in a terminal', () => {
  it('shows what the agent wrote before and after, and leaves without stopping anything', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root, { tasks: ['a'] });
    const run = followClifford(['run', '--agent-cmd', agentCmd('ask')], { cwd: root });
    await run.printed(/a human has to answer/);
    const { see, press, exited } = inTerminal(['attach'], dir);
    await see('Which port?');
    await see(readyForAnswer);
    press('8080');
    await see('> 8080');
    press('\r');
    await see('answer: 8080');
    press('q');
    expect(await exited).toBe(0);
    expect((await run.ended).code).toBe(0);
  });
});
