import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cliFile, clifford, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { agentCmd } from '../../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { typesOf } from '../worker/said-by-workers.ts';

/** A log that is away is waited for so long by a run that was stopped; twice that is plenty. */
const ENDS_MS = 20_000;
/** What waits for nothing ends sooner than that. */
const AT_ONCE_MS = 7_000;
/** A signal that comes sooner than this after the first is the same one, passed on. */
const ANOTHER_MS = 400;
const slow = { timeout: 90_000 };

const awaitsLog = /note: nothing is at work any more; the log is away and is waited for, \d+ s at most/;
const notInLog =
  /note: Cannot .* nats:.*: the log does not say how the agent of a ended, nor that this run is over\. Bring it back/;

describeWithNats('a run that is stopped while the server of its log is away', (server) => {
  /** A run whose agent is at work, and whose server was killed then. */
  async function cutOffRun() {
    const cwd = await tempRoot();
    await writeSprint(cwd, { tasks: ['a'] });
    await writeConfig(join(cwd, 'clifford.json'), {
      log: { url: `nats://${server.address}/${randomUUID()}` },
    });
    const run = startClifford(['run', '--plain', '--agent-cmd', agentCmd('hang-first')], { cwd });
    await run.printed(/agent\.started/);
    await killServer();
    return { cwd, run };
  }

  async function killServer(): Promise<void> {
    await server.kill();
    onTestFinished(async () => {
      if (server.pid === undefined) await server.start();
    });
  }

  /** What the log has of the sprint, once the server is there. */
  const history = async (cwd: string) => (await clifford(['replay', 'demo'], { cwd })).out;

  it(
    'ends soon, as one that was stopped, says what is not in the log, and the next one records that',
    slow,
    async () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const { cwd, run } = await cutOffRun();
        const stoppedAt = performance.now();
        run.kill(signal);
        await run.warned(awaitsLog);
        const { code, out, err } = await run.ended;
        expect(performance.now() - stoppedAt).toBeLessThan(ENDS_MS);
        expect(code).toBe(130);
        expect(out).toContain(`demo stopped, 0 of 1 tasks done: ${signal}\n`);
        expect(err).toMatch(notInLog);
        expect(err.match(/Cannot .* nats:/g)).toHaveLength(1);
        await server.start();
        expect(await history(cwd)).not.toMatch(/agent\.exited|runner\.left/);
        await clifford(['run', '--plain', '--agent-cmd', 'true'], { cwd });
        expect(await history(cwd)).toMatch(/agent\.lost .*\n.*sprint\.started/);
      }
    },
  );

  it('records all of it where the server is back before it has ended', slow, async () => {
    const { cwd, run } = await cutOffRun();
    run.kill('SIGINT');
    await run.warned(awaitsLog);
    await server.start();
    const { code, err } = await run.ended;
    expect(code).toBe(130);
    expect(err).not.toContain('the log does not say');
    expect(await history(cwd)).toMatch(/agent\.exited .*\n.*runner\.left/);
  });

  it('ends at once with a second signal', slow, async () => {
    const { run } = await cutOffRun();
    const stoppedAt = performance.now();
    run.kill('SIGINT');
    await run.warned(awaitsLog);
    await expect.poll(() => performance.now() - stoppedAt).toBeGreaterThan(ANOTHER_MS);
    run.kill('SIGINT');
    const { code, err } = await run.ended;
    expect(performance.now() - stoppedAt).toBeLessThan(AT_ONCE_MS);
    expect(code).toBe(130);
    expect(err).toMatch(notInLog);
  });

  it(
    'says on its screen that no agent is left and for how long it waits, and leaves with another Ctrl+C',
    slow,
    async () => {
      const cwd = await tempRoot();
      await writeSprint(cwd, { tasks: ['a'] });
      await writeConfig(join(cwd, 'clifford.json'), {
        log: { url: `nats://${server.address}/${randomUUID()}` },
      });
      const args = [cliFile, 'run', '--agent-cmd', agentCmd('hang-first')];
      const screen = openPty(process.execPath, args, { cwd, columns: 120 });
      onTestFinished(screen.kill);
      await screen.see(/ready \d+/);
      await killServer();
      screen.press('\u0003');
      await screen.see('Ctrl+C again stops 1 agent');
      screen.press('\u0003');
      await screen.see(/No agent is left\. The log is away: waiting \d+ s\. Ctrl\+C again leaves/);
      const stoppedAt = performance.now();
      screen.press('\u0003');
      expect(await screen.exited).toBe(130);
      expect(performance.now() - stoppedAt).toBeLessThan(AT_ONCE_MS);
      expect(screen.lines().join(' ')).toContain('the log does not say');
    },
  );

  it('ends soon as that of a worker that is told twice, and the next worker goes on', slow, async () => {
    const team = await workerWorld(server.address, { sprints: { demo: ['a'] }, config: { commit: false } });
    expect(await team.human('queue', 'add', 'demo')).toMatchObject({ code: 0 });
    const first = await team.worker('one', {
      env: { CLIFFORD_AGENT_CMD: agentCmd('hang-first'), CLIFFORD_TRUST_PROJECT: '1' },
    });
    await first.printed(/agent\.started/);
    await killServer();
    first.kill('SIGTERM');
    await first.warned(/SIGTERM: leaves when the tasks under way have ended/);
    const stoppedAt = performance.now();
    first.kill('SIGTERM');
    await first.warned(/SIGTERM: ends the agents/);
    const { err } = await first.ended;
    expect(performance.now() - stoppedAt).toBeLessThan(ENDS_MS);
    expect(err).toContain('the log does not say how the agent of a ended');
    await server.start();
    const next = await team.worker('two', {
      args: ['--once'],
      env: { CLIFFORD_AGENT_CMD: agentCmd('complete'), CLIFFORD_TRUST_PROJECT: '1' },
    });
    await next.ended;
    expect(typesOf(await team.events(), 'task.completed')).toEqual(['task.completed demo/a']);
  });
});
