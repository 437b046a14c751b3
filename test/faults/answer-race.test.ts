import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { forkedProgram } from '../helpers/forked-program.ts';
import { faultRuns } from '../helpers/fault-options.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';

const program = fixtureProgram('processes/answerer.ts');

type Outcome = { accepted: boolean; winner: string };

async function answerFrom(child: ChildProcess, id: string): Promise<Outcome> {
  child.send(id);
  const [outcome] = (await once(child, 'message')) as [Outcome];
  return outcome;
}

describeOnEachEngine('two who answer', () => {
  it('of two processes that answer one question at once exactly one wins, and the other is told who', async () => {
    const rounds = faultRuns(250);
    const root = await tempRoot();
    const project = await openTestProject(root);
    const answerers = await Promise.all(['ann', 'bob'].map((by) => forkedProgram(program, [root, by])));
    const wins = new Map<string, number>();

    for (let round = 0; round < rounds; round += 1) {
      const question = `Question ${round}?`;
      const { id } = await ask(project, { stream: 'adhoc', agent: { id: 'agent' }, kind: 'help', question });
      const outcomes = await Promise.all(answerers.map((child) => answerFrom(child, id)));
      const winner = requestById(await project.refresh(), id)?.answer?.by ?? 'nobody';
      expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(1);
      expect(outcomes.map((outcome) => outcome.winner)).toEqual([winner, winner]);
      wins.set(winner, (wins.get(winner) ?? 0) + 1);
    }

    let answers = 0;
    for await (const { events } of project.log.read()) {
      answers += events.filter(({ type }) => type === 'help.answered').length;
    }
    expect(answers).toBe(rounds);
    console.log(`answer race: ${rounds} rounds, won by ${JSON.stringify(Object.fromEntries(wins))}`);
  });
});
