import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identify } from '../../../../src/lib/processes/process-identity.ts';
import { readProcFile } from '../../../../src/lib/processes/proc-file.ts';
import { hasProcessTable } from '../../../../src/lib/processes/process-table.ts';
import { NoAgents, noAgentsIn } from '../../../../src/web/server/callers/no-agents.ts';
import { on } from '../../../helpers/history.ts';
import { projectWithSprint } from '../../../helpers/temp-project.ts';

/** It is older than all others, so that nobody waits here until a process is old enough. */
const FIRST = 1;

describe.runIf(hasProcessTable)('processes that are no agents', () => {
  it('are those that are, once they were looked at, and not new ones, which may be in the log a moment later', async () => {
    const { project } = await projectWithSprint();
    const young = spawn('sleep', ['60']);
    onTestFinished(() => void young.kill());
    await once(young, 'spawn');
    const noAgents = noAgentsIn(project);
    expect(noAgents.among(project)(FIRST)).toBe(false);
    await noAgents.lookLater(project);
    expect([FIRST, young.pid ?? 0].map(noAgents.among(project))).toEqual([true, false]);
  });

  it('are others in each project: one of them may be an agent of another', async () => {
    const [{ project }, other] = [await projectWithSprint(), await projectWithSprint()];
    await other.project.record('demo', [
      on('demo/a', 'agent.started', { runId: 'run-7', ...identify(FIRST) }),
    ]);
    for (const each of [project, other.project]) await noAgentsIn(each).lookLater(each);
    expect([project, other.project].map((each) => noAgentsIn(each).among(each)(FIRST))).toEqual([
      true,
      false,
    ]);
  });

  it('are looked at anew once the log has another attempt, also where that is said late', async () => {
    const { project } = await projectWithSprint();
    const noAgents = noAgentsIn(project);
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(true);
    await project.record('demo', [on('demo/a', 'agent.started', { runId: 'run-7', ...identify(FIRST) })]);
    expect(noAgents.among(project)(FIRST)).toBe(false);
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(false);
  });

  it('are not those that have the pid of one later, also where that one ended while it was looked at', async () => {
    const { project } = await projectWithSprint();
    const folders = ['1', '2', '1', '1', '1'];
    const noAgents = new NoAgents((pid) => (pid === FIRST ? folders.shift() : undefined));
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(false);
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(true);
    expect(noAgents.among(project)(FIRST)).toBe(false);
  });

  it('are not those of which something could not be read, as where the server has too many files open', async () => {
    const { project } = await projectWithSprint();
    let isTroubled = true;
    const noAgents = new NoAgents((pid) => {
      // What it reads there are no bytes of a file: an error of the machine.
      if (pid === FIRST && isTroubled) readProcFile(process.pid, 'fdinfo/../mem');
      return pid === FIRST ? 'first' : undefined;
    });
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(false);
    isTroubled = false;
    await noAgents.lookLater(project);
    expect(noAgents.among(project)(FIRST)).toBe(true);
  });
});
