import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../../helpers/agent-here.ts';
import { cliFile, clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { openClifford } from '../../helpers/clifford-screen.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { agentCmd, freshSprint } from '../../helpers/sprint-run.ts';

describeOnEachEngine('clifford run at a terminal', () => {
  it.each([
    [[], 'give-up', /demo failed, [^]*next: clifford replay demo shows what happened; the same command/, 1],
    [
      ['--no-wait'],
      'ask-and-leave',
      /demo blocked, [^]*next: clifford questions and clifford answer; the same/,
      3,
    ],
  ])(
    'clifford run %j, whose agent does %s, says to a person what can be done next',
    async (flags, agent, seen, code) => {
      const { root } = await freshSprint();
      const args = [
        'run',
        '--plain',
        ...flags,
        '--agent-cmd',
        agent === 'ask-and-leave' ? agentHere(agent) : agentCmd(agent),
      ];
      const terminal = openClifford(args, { cwd: root, columns: 120 });
      expect(await terminal.exited).toBe(code);
      expect(stripVTControlCharacters(terminal.bytes())).toMatch(seen);
    },
  );

  it('clifford run says that to the log of a program, too: on stderr', async () => {
    const { root } = await freshSprint();
    const { out, err } = await clifford(['run', '--agent-cmd', agentCmd('give-up')], { cwd: root });
    expect(out).toContain('demo failed');
    expect(out).not.toContain('next:');
    expect(err).toContain(
      'next: clifford replay demo shows what happened; the same command retries what failed\n',
    );
  });

  /** Whose the mouse is: `on` is the screen's. */
  function mouseOf(bytes: string): 'on' | 'off' {
    return bytes.lastIndexOf('\u001B[?1000h') > bytes.lastIndexOf('\u001B[?1000l') ? 'on' : 'off';
  }

  /** Runs what it is given as a shell does: Ctrl+Z suspends it, and Enter lets it go on. */
  const shell =
    'set -m; "$@"; echo "suspended $? $(stty -a | grep -o -- "-*icanon")"; read -r _; fg; exit $?';

  it('Ctrl+Z suspends the screen, and a run goes on without it when q is asked for that', async () => {
    const { root } = await freshSprint();
    const run = [process.execPath, cliFile, 'run', '--mouse', '--agent-cmd', agentHere('hang-first')];
    const { see, press, exited, kill, lines, bytes, buffer } = openPty(
      '/bin/bash',
      ['-c', shell, 'bash', ...run],
      {
        cwd: root,
        columns: 120,
      },
    );
    onTestFinished(kill);
    await see(/ready \d+/);
    // With the mouse the pane of a tab is shown: each click is a report of its own, with cells counted from 1.
    const row = lines().findIndex((line) => line.includes('2 Task'));
    const column = lines()[row]?.indexOf('2 Task') ?? 0;
    press(`\u001B[<0;${column + 3};${row + 1}M\u001B[<0;${column + 3};${row + 1}m`);
    await see('[2 Task]');
    press('1');
    await see(/ready \d+/);
    press('\u001A');
    await see(/suspended 1\d\d icanon/);
    expect(buffer()).toBe('normal');
    expect(mouseOf(bytes())).toBe('off');
    press('\r');
    await see(/ready \d+/);
    expect([buffer(), mouseOf(bytes())]).toEqual(['alternate', 'on']);
    press('q');
    await see('What becomes of the run? q stops 1 agent, g goes on without the screen');
    await see('g go on without');
    press('g');
    await see('demo goes on without the screen: Ctrl-C stops it');
    expect(buffer()).toBe('normal');
    expect(await clifford(['pause'], { cwd: root })).toMatchObject({ code: 0 });
    await see(/demo sprint\.paused/);
    expect(mouseOf(bytes())).toBe('off');
    press('\u0003');
    expect(await exited).toBe(130);
    expect(lines().join('\n')).toContain('demo stopped, 0 of 1 tasks done: SIGINT');
  });

  it('q stops agents that work when it is pressed again, Ctrl+C ends them at once then, and the log names the key', async () => {
    const { root } = await freshSprint();
    const args = [cliFile, 'run', '--agent-cmd', agentCmd('stubborn')];
    const { see, lose, press, exited, kill, lines } = openPty(process.execPath, args, {
      cwd: root,
      columns: 120,
    });
    onTestFinished(kill);
    await see(/ready \d+/);
    press('\u0003');
    await see('Ctrl+C again stops 1 agent');
    press('\u001B');
    await lose('Ctrl+C again');
    press('q');
    await see('q stop it');
    press('q');
    await see(/Stopping 1 agent, [45] s left\. Ctrl\+C again ends it at once/);
    const stopping = performance.now();
    press('\u0003');
    expect(await exited).toBe(130);
    // Less than the five seconds that an agent has which does not care.
    expect(performance.now() - stopping).toBeLessThan(4_000);
    expect(lines().join('\n')).toContain('demo stopped, 0 of 1 tasks done: q was pressed');
    expect((await clifford(['status'], { cwd: root })).out).toContain('q was pressed');
  });

  it('the screen stays when a run is over, retries what failed with R, and leaves when its terminal is closed', async () => {
    const { root } = await freshSprint();
    const args = [cliFile, 'run', '--agent-cmd', agentCmd('give-up')];
    const { see, press, hangUp, exited, kill, lines } = openPty(process.execPath, args, {
      cwd: root,
      columns: 120,
    });
    onTestFinished(kill);
    await see(/✗ failed +a +Task a +1\b/);
    await see('The sprint failed');
    press('R');
    await see(/✗ failed +a +Task a +2\b/);
    press('\r');
    await see('R retry');
    press('R');
    await see(/✗ failed +a +Task a +3\b/);
    hangUp();
    expect(await exited).toBe(1);
    expect(lines().join('\n')).toContain('demo failed, 0 of 1 tasks done');
  });

  it('clifford run of a sprint without tasks is no success, and starts nothing', async () => {
    const { root } = await freshSprint({ tasks: [] });
    const { code, out, err } = await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'clifford: Cannot run sprint demo: it has no tasks\n' +
        '  Add one with: clifford task add <id> "what is to be done" --sprint demo\n',
    );
    expect((await clifford(['replay', 'demo'], { cwd: root })).out).not.toContain('sprint.started');
  });

  it('what a terminal has no room for goes on below, broken between words', async () => {
    const { root } = await freshSprint();
    const args = ['run', '--plain', '--agent-cmd', agentCmd('give-up')];
    const { exited, lines } = openClifford(args, { cwd: root, columns: 60 });
    expect(await exited).toBe(1);
    expect(lines()).toContain('next: clifford replay demo shows what happened; the same');
    expect(lines()).toContain('  command retries what failed');
  });
});
