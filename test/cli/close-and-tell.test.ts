import { expect, it, onTestFinished, vi } from 'vitest';
import { tellWhenLate } from '../../src/lib/time/tell-when-late.ts';
import { closeAndTell } from '../../src/cli/requests/close-and-tell.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import type { Cli } from '../../src/cli/cli.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

describeOnEachEngine('whoever answers while the log is away', () => {
  it('is told that it is not recorded yet, and then that it is', async () => {
    const { project, stream } = await projectWithSprint();
    const agent = { id: 'agent' };
    const request = await ask(project, { stream, agent, kind: 'help', question: 'Which port?' });
    const told = Promise.withResolvers<string>();
    const said: string[] = [];
    const cli = { warn: told.resolve, print: (line: string) => said.push(line) } as unknown as Cli;
    await closeAndTell(cli, project, request, {
      verb: 'answer',
      done: 'answered',
      json: undefined,
      // The log is there again once somebody was told that it is not.
      close: async () => {
        expect(await told.promise).toBe('not recorded yet: the log does not answer; this waits for it');
        return answerRequest(project, request.id, { response: '8080', by: 'ada', via: 'cli' });
      },
      say: () => cli.print('answered'),
    });
    expect(said).toEqual(['answered']);
  });
});

it('what is quick is not said to be late', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const late: string[] = [];
  expect(await tellWhenLate(Promise.resolve(1), 2_000, () => late.push('late'))).toBe(1);
  vi.advanceTimersByTime(10_000);
  expect(late).toEqual([]);
});
