import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { describeSprint } from '../../../src/views/sprints/describe-sprint.ts';
import { inboxOf } from '../../../src/views/requests/inbox.ts';
import { overviewOf, rowOf, type Overview } from '../../../src/views/sprints/overview.ts';
import type { Processes } from '../../../src/views/sprints/sprint-status.ts';
import { SprintRows } from '../../../src/views/sprints/sprint-rows.ts';
import { describeScreen } from '../../../src/views/sprints/sprint-view.ts';
import { mayStart } from '../../../src/views/sprints/who-runs.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { recordDetached } from '../../../src/workflow/requests/deliver.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { WatchedSprints } from '../../../src/workflow/sprint/watched-sprints.ts';
import { knownSprints } from '../../../src/workflow/sprint/choose-sprint.ts';
import { enterSprint } from '../../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';
import { approval } from '../../helpers/approval.ts';
import { fact } from '../../helpers/facts.ts';
import { on } from '../../helpers/history.ts';
import type { FolderOf } from '../../../src/views/calls/folder-of-call.ts';
import { workFolder } from '../../../src/workflow/worktree/work-folder.ts';
import { openTestProject, tempRoot, writeSprint } from '../../helpers/temp-project.ts';

/** A project with sprints in the log, each with the tasks `a` and `b`. */
async function projectWith(...ids: string[]): Promise<Project> {
  const root = await tempRoot();
  await Promise.all(ids.map((id) => writeSprint(root, { id })));
  const project = await openTestProject(root);
  for (const id of ids) await enterSprint(project, findSprintFolder(await listSprintFolders(root), id));
  return project;
}

const nobody: Processes = { hasRunner: () => false, isAlive: () => false };

async function overviewIn(project: Project, processes = nobody): Promise<Overview> {
  const known = knownSprints(project.state, await listSprintFolders(project.root));
  return overviewOf(
    known.map((each) => rowOf(each, project.state, processes)),
    [],
  );
}

const begin = (project: Project, id: string, runId?: string) =>
  project.dispatch(id, (state) => {
    const sprint = state.streams.get(id);
    const task = sprint?.tasks.get('a');
    return sprint && task ? startTask(sprint, task, { by: 'runner', runId }) : [];
  });
const asks = (project: Project, stream: string, question: string) =>
  ask(project, { stream, agent: { id: question, client: 'codex' }, kind: 'help', question });
const wants = (project: Project, stream: string, over: Partial<Approval>, taskId?: string) =>
  askApproval(project, {
    stream,
    taskId,
    agent: { id: 'a2', client: 'codex' },
    approval: { ...approval, ...over },
  });
const cancel = (project: Project, id: string) =>
  project.dispatch(id, () => [{ type: 'sprint.cancelled', subject: id, data: { by: 'ann' } }]);
const runsOf = ({ rows }: Overview) => rows.map(({ sprint, runs }) => [sprint.id, runs.is] as const);

describe('the overview', () => {
  it('has what waits for a human anywhere: the greatest risk first, then what somebody waits for, then the oldest', async () => {
    const project = await projectWith('one', 'two');
    await asks(project, 'two', 'first');
    await asks(project, 'adhoc', 'second');
    await wants(project, 'one', { tool: 'look', trust: 'full', annotations: { readOnlyHint: true } });
    await wants(project, 'two', {
      tool: 'drop',
      callDigest: 'other',
      annotations: { destructiveHint: true },
    });
    const inbox = inboxOf(project.state);
    expect(inbox.map(({ question, sprint, risk }) => [question.split(' {')[0], sprint, risk])).toEqual([
      ['Allow fs drop', 'two', 'destroys'],
      ['Allow fs look', 'one', 'reads'],
      ['first', 'two', 'none'],
      ['second', 'adhoc', 'none'],
    ]);
    expect((await overviewIn(project)).inbox).toEqual(inbox.filter(({ sprint }) => sprint !== 'adhoc'));
    const first = inbox.find(({ question }) => question === 'first');
    await recordDetached(project, findRequest(project.state, first?.id ?? ''), {
      agentId: 'first',
      why: 'cancelled',
    });
    expect(
      inboxOf(project.state)
        .map(({ question }) => question)
        .slice(2),
    ).toEqual(['second', 'first']);
    const ofTwo = inbox.filter(({ sprint }) => sprint === 'two').map(({ id }) => id);
    const sprint = project.state.streams.get('two');
    expect(describeScreen(project.state, 'two').open.map(({ id }) => id)).toEqual(ofTwo);
    expect(sprint && describeSprint(sprint).open.map(({ id }) => id)).toEqual(ofTwo);
  });

  it("says where the agent works that asks for a call of its own tool, which is the task's worktree, where it has one", async () => {
    const project = await projectWith('one');
    await begin(project, 'one');
    await project.dispatch('one', () => [
      { type: 'worktree.claimed', subject: 'one/a', data: fact('worktree.claimed').data },
    ]);
    const own = { server: '@codex', isOwn: true } as const;
    await wants(project, 'one', { ...own, callDigest: 'a' }, 'a');
    await wants(project, 'one', { ...own, callDigest: 'b' }, 'b');
    await wants(project, 'one', { callDigest: 'c' }, 'b');
    const folderOf = (task: Parameters<FolderOf>[0]) => workFolder({ root: '/w/app' }, task);
    const folders = ['/w/app.worktrees/sprint-1/task-1/app/', '/w/app', undefined];
    const { open } = describeScreen(project.state, 'one', folderOf);
    expect(open.map(({ folder }) => folder)).toEqual(folders);
    const [known] = knownSprints(project.state, await listSprintFolders(project.root));
    const row = known && rowOf(known, project.state, nobody, folderOf);
    expect(row?.waiting.map(({ folder }) => folder)).toEqual(folders);
    expect(describeScreen(project.state, 'one').open[0]?.folder).toBeUndefined();
  });

  it('has sprints that somebody waits in first, then those under way, and those that are over last', async () => {
    const project = await projectWith('a-over', 'b-pending', 'c-active', 'd-asks', 'e-over');
    await cancel(project, 'a-over');
    await begin(project, 'c-active');
    await asks(project, 'd-asks', 'Which?');
    await cancel(project, 'e-over');
    const { rows } = await overviewIn(project);
    expect(rows.map(({ sprint, waiting }) => [sprint.id, waiting.length])).toEqual([
      ['d-asks', 1],
      ['c-active', 0],
      ['b-pending', 0],
      ['e-over', 0],
      ['a-over', 0],
    ]);
    await asks(project, 'adhoc', 'Which?');
    const outside = rowOf({ id: 'adhoc', folder: undefined }, project.state, nobody);
    expect(overviewOf([outside, ...rows], []).rows.at(-1)).toBe(outside);
  });

  it('says who runs a sprint, and where nobody does whether a run may be started', async () => {
    const project = await projectWith('active', 'left', 'pending', 'over');
    await begin(project, 'active');
    await begin(project, 'left', 'run-1');
    await cancel(project, 'over');
    await writeSprint(project.root, { id: 'unseen' });
    await writeSprint(project.root, { id: 'empty', tasks: [] });
    const overview = await overviewIn(project);
    expect(Object.fromEntries(runsOf(overview))).toEqual({
      active: 'by-hand',
      empty: 'empty',
      left: 'deserted',
      over: 'over',
      pending: 'not-started',
      unseen: 'not-started',
    });
    expect(
      Object.fromEntries(overview.rows.map(({ sprint, runs }) => [sprint.id, mayStart(runs)] as const)),
    ).toEqual({
      active: 'on-wish',
      empty: 'no',
      left: 'at-once',
      over: 'no',
      pending: 'at-once',
      unseen: 'at-once',
    });
    const hasRunner = (id: string) => id === 'active';
    expect(runsOf(await overviewIn(project, { ...nobody, hasRunner }))).toContainEqual(['active', 'running']);
  });

  it('names the agents that are at work, not those whose process is gone', async () => {
    const project = await projectWith('one');
    await begin(project, 'one', 'run-1');
    await project.record('one', [on('one/a', 'agent.started', { agent: 'codex', adapter: 'codex' })]);
    const at = async (isAlive: boolean) => {
      const { rows } = await overviewIn(project, { hasRunner: () => true, isAlive: () => isAlive });
      return rows[0]?.runs;
    };
    expect(await at(true)).toEqual({ is: 'running', agents: ['codex'], waiting: [] });
    expect(await at(false)).toEqual({ is: 'running', agents: [], waiting: [] });
  });

  it('says of what an agent asked that was killed that nobody waits, as its status does, and sees when it is', async () => {
    const project = await projectWith('one');
    await begin(project, 'one', 'run-1');
    await project.record('one', [on('one/a', 'agent.started', { agent: 'codex', adapter: 'codex' })]);
    const question = { kind: 'help', question: 'Which?', task: 'a' } as const;
    await ask(project, { stream: 'one', agent: { id: 'x', client: 'codex' }, ...question });
    const isAwaited = async (isAlive: boolean) => {
      const { rows, inbox } = await overviewIn(project, { hasRunner: () => false, isAlive: () => isAlive });
      return [inbox[0]?.isAwaited, rows[0]?.sprint.open[0]?.isAwaited];
    };
    expect(await isAwaited(true)).toEqual([true, true]);
    expect(await isAwaited(false)).toEqual([false, false]);
    const sprints = await WatchedSprints.open(project);
    let lives = true;
    const processes = { hasRunner: () => false, isAlive: () => lives };
    const watched = new SprintRows({ project, processes, sprints });
    watched.overview();
    await watched.look();
    expect(await watched.look()).toBe(false);
    lives = false;
    expect(await watched.look()).toBe(true);
    expect(watched.overview().inbox[0]?.isAwaited).toBe(false);
    expect(await watched.look()).toBe(false);
  });

  it('says of a sprint whose folder is gone that nothing can start it', async () => {
    const project = await projectWith('one');
    await begin(project, 'one');
    const [known] = knownSprints(project.state, { sprints: [], broken: [] });
    expect(known && rowOf(known, project.state, nobody).runs).toEqual({
      is: 'unusable',
      why: 'its folder is gone',
    });
  });
});
