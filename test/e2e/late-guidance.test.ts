import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { agentCmd, eventsOf, freshSprint, leftOpen, recorded } from '../helpers/sprint-run.ts';
import { untilFile } from '../helpers/until-file.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';

const server = join(import.meta.dirname, '../../dist/mcp-entry.js');
type Way = 'leave' | 'stay' | 'lose-server' | 'clarify';

/** A sprint with one task, and `clifford run` with an agent that does not get its answer in this way. */
async function lateSprint(way: Way) {
  const { root, project } = await freshSprint();
  const env = { LATE_SERVER: server, LATE_WAY: way };
  const args = ['run', 'demo', '--plain', '--agent-cmd', agentCmd('late-asker')];
  return {
    root,
    project,
    run: () => startClifford(args, { cwd: root, env }),
    runHere: () => clifford(args, { cwd: root, env }),
    clifford: (...words: string[]) => clifford(words, { cwd: root }),
  };
}

const asked = (project: Project) =>
  project.until((state) => (openRequests(state).length > 0 ? true : undefined));

/** What the agents were told by get_sprint_context, in order. */
async function received(root: string): Promise<unknown[]> {
  const lines = (await readFile(join(root, 'received.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}

async function count(project: Project, ...types: EventType[]): Promise<number[]> {
  const events = await eventsOf(project);
  return types.map((type) => events.filter((event) => event.type === type).length);
}

const guidance = (humanResponse: unknown) => ({ previousQuestion: 'Which port?', humanResponse });

describeOnEachEngine('late answers', () => {
  describe('the answer to a question whose agent has gone', () => {
    it('starts the next attempt, which gets it once', async () => {
      const { root, project, runHere, clifford: human } = await lateSprint('leave');
      const runner = runHere();
      await leftOpen(project);
      expect(await human('answer', 'last', '8080')).toMatchObject({ code: 0 });
      expect(await runner).toMatchObject({ code: 0 });
      expect(await received(root)).toEqual([guidance('8080')]);
      expect(await count(project, 'task.started', 'help.requested', 'help.delivered', 'task.failed')).toEqual(
        [2, 1, 1, 0],
      );
    });

    it('may come at the instant in which it goes', async () => {
      const { root, project, runHere, clifford: human } = await lateSprint('leave');
      const runner = runHere();
      await asked(project);
      // Before that, it might get the answer, and have no excuse for going.
      await expect.poll(() => processesOf(root, 'late-asker'), { interval: 1 }).toEqual([]);
      expect(await human('answer', 'last', '8080')).toMatchObject({ code: 0 });
      expect(await runner).toMatchObject({ code: 0 });
      expect(await received(root)).toEqual([guidance('8080')]);
      expect(await count(project, 'help.requested', 'task.failed')).toEqual([1, 0]);
    });

    it('may come while the agent lives and nobody can give it to it: its end costs no attempt', async () => {
      const { root, project, runHere, clifford: human } = await lateSprint('lose-server');
      const runner = runHere();
      await untilFile(join(root, 'lost'));
      expect(await human('answer', 'last', '8080')).toMatchObject({ code: 0 });
      await writeFile(join(root, 'go'), '');
      expect(await runner).toMatchObject({ code: 0 });
      expect(await received(root)).toEqual([guidance('8080')]);
      expect(await count(project, 'task.started', 'task.failed', 'task.retried')).toEqual([2, 0, 0]);
    });

    it.each([
      [
        'rejected',
        ['answer', 'last', '--reject', 'read the file'],
        /^The human rejected this question \(q-[^)]+\): read the file\n/,
      ],
      [
        'dismissed',
        ['dismiss', 'last'],
        /^The human dismissed this question \(q-[^)]+\) without an answer\./,
      ],
    ])('may be that it was %s', async (_what, words, told) => {
      const { root, project, runHere, clifford: human } = await lateSprint('leave');
      const runner = runHere();
      await leftOpen(project);
      expect(await human(...words)).toMatchObject({ code: 0 });
      expect(await runner).toMatchObject({ code: 0 });
      expect(await received(root)).toEqual([guidance(expect.stringMatching(told))]);
      expect(await count(project, 'help.requested', 'help.delivered')).toEqual([1, 1]);
    });

    it('may come while nobody runs: a later run finishes, and nobody is asked again', async () => {
      const { root, project, run, runHere, clifford: human } = await lateSprint('stay');
      const first = run();
      await asked(project);
      first.kill('SIGKILL');
      await first.ended;
      killAll(await processesOf(root, 'late-asker'));
      expect(await human('answer', 'last', '8080')).toMatchObject({ code: 0 });

      expect(await runHere()).toMatchObject({ code: 0 });
      expect(await received(root)).toEqual([guidance('8080')]);
      expect(await count(project, 'help.requested', 'help.delivered', 'task.failed')).toEqual([1, 1, 0]);
    });
  });

  it('the answer to a clarification that has expired reaches the agent that went on', async () => {
    const { root, project, runHere, clifford: human } = await lateSprint('clarify');
    await writeFile(join(root, 'clifford.json'), '{"clarification": {"defaultTimeout": 300}}');
    const runner = runHere();
    await recorded(project, 'help.expired');
    expect(await human('answer', 'last', '8080')).toMatchObject({ code: 0 });
    expect(await runner).toMatchObject({ code: 0 });
    expect(await received(root)).toEqual([guidance('8080')]);
    expect(await count(project, 'task.started', 'help.requested', 'help.delivered')).toEqual([1, 1, 1]);
  });
});
