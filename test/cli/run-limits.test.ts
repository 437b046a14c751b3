import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { opened, refused, saidSprint, tryAgainAt, turn } from '../helpers/said-sprint.ts';

const clock = /\d\d:\d\d/.source;

describe('clifford run', () => {
  it('ends with 4 instead of waiting for the end of a usage limit, and status says until when', async () => {
    const { root } = await saidSprint({
      'main-1': [opened('t'), refused(tryAgainAt(Date.now() + 3_600_000)), '!exit 1'],
    });
    const { code, out } = await clifford(['run', '--no-wait'], { cwd: root });
    expect(code).toBe(4);
    expect(out).toMatch(new RegExp(`agent.limited until \\d{4}-\\d\\d-\\d\\d ${clock}\n`));
    expect(out).toMatch(
      /demo\/a agent\.exited code 1 after [^:]*: the agent hit the usage limit of its provider: /,
    );
    const why = `task a: the usage limit of main is reached, it continues at .*${clock}`;
    expect(out).toMatch(new RegExp(`\ndemo limited, 0 of 1 tasks done: ${why}\n$`));

    const status = await clifford(['status'], { cwd: root });
    expect(status.out).toMatch(new RegExp(`○ a {2}idle {2}usage limit until .*${clock}\n`));
    expect(status.out).toMatch(new RegExp(`\n\nusage limit of main until .*${clock}\n$`));
    const { out: json } = await clifford(['status', '--json'], { cwd: root });
    expect(JSON.parse(json)).toMatchObject({ limits: [{ agent: 'main', until: expect.any(String) }] });
  });

  it('says how to end a wait, and goes on despite a limit when it is told to', async () => {
    const { root } = await saidSprint({
      'main-1': [opened('t'), refused(tryAgainAt(Date.now() + 3_600_000)), '!exit 1'],
      'main-2': ['!arguments', '!complete'],
    });
    const waiting = startClifford(['run'], { cwd: root });
    const [note] = await waiting.warned(/^note: .*usage limit.*$/m);
    expect(note).toMatch(
      new RegExp(
        `^note: a: the usage limit of main is reached, it continues at .*${clock}; Ctrl-C ends the wait and keeps the session, clifford run --despite-limit then goes on at once$`,
      ),
    );
    waiting.kill('SIGINT');
    expect((await waiting.ended).code).toBe(130);
    const { code, out } = await clifford(['run', '--despite-limit'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toContain('--resume t');
  });

  it('ends with 5 when a budget is used up, and status says what was used', async () => {
    const { root } = await saidSprint(
      { 'main-1': [opened('t'), turn(1_000, 204), '!stay'] },
      { budget: { sprint: { tokens: 1_000 } } },
    );
    const { code, out } = await clifford(['run'], { cwd: root });
    expect(code).toBe(5);
    const why = 'the sprint has used up its budget: 1204 of 1000 tokens; raise budget.sprint.tokens to go on';
    expect(out).toMatch(new RegExp(`\ndemo overspent, 0 of 1 tasks done: ${why}\n$`));

    expect((await clifford(['status'], { cwd: root })).out).toContain('idle  1,204 tokens\n');
    const { out: json } = await clifford(['status', 'demo', '--json'], { cwd: root });
    const usage = { input: 1_000, output: 204, costUsd: 0 };
    const view = z.looseObject({ sprints: z.array(z.looseObject({})) }).parse(JSON.parse(json));
    expect(view.sprints).toMatchObject([{ usage, tasks: [{ id: 'a', usage }] }]);
  });

  it('says when an agent is silent for long, and ends with 1 when it has to be ended', async () => {
    const { root } = await saidSprint({ 'main-1': [opened('t'), '!stay'] }, { limits: { idle: 400 } });
    const { code, out, err } = await clifford(['run'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toMatch(/^note: a: unresponsive for \d+ ms: it is stopped after 400 ms$/m);
    expect(out).toMatch(/agent\.stalled silent for/);
  });
});
