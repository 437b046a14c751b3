import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pastCommands } from '../../../src/tui/feed/past-commands.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { TimeTravel } from '../../../src/tui/past/time-travel.ts';
import { startScreenActor, type ScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState } from '../../../src/tui/screen/screen-state.ts';
import { describeScreen } from '../../../src/views/sprints/sprint-view.ts';
import { openProject, type Project } from '../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { aSummary, room } from '../../helpers/screen-views.ts';
import { startTask } from '../../../src/workflow/task/start-task.ts';

const stream = 'sprint-13';
const subject = `${stream}/parser`;
let root: string;
let project: Project;
let actor: ScreenActor;
let time: TimeTravel;
const copied: string[] = [];

/** Created, started, asked, answered, done. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clifford-past-'));
  project = await openProject({ root, source: '/clifford/mcp', env: {} });
  const tasks = [{ id: 'parser', file: 'parser.md' }];
  const data = { name: 'Checkout', manifest: 'sprints/13/manifest.json', tasks };
  await project.dispatch(stream, () => [{ type: 'sprint.created', subject: stream, data }]);
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get('parser');
    return sprint && task ? startTask(sprint, task, { by: 'runner' }) : [];
  });
  const agent = { id: 'demo-agent' };
  const request = await ask(project, {
    stream,
    task: 'parser',
    agent,
    question: '**Which** grammar?',
    kind: 'help',
  });
  await answerRequest(project, request.id, { by: 'ada', via: 'tui', response: 'The new one' });
  await project.dispatch(stream, () => [{ type: 'task.completed', subject, data: { by: 'agent' } }]);

  actor = startScreenActor(initialState({ isOwner: false, sprint: describeScreen(project.state, stream) }));
  copied.length = 0;
  time = new TimeTravel({
    actor,
    project,
    stream,
    copy: (text) => copied.push(text),
    fail: (error) => expect.fail(String(error)),
  });
});

afterEach(async () => {
  await time.close();
  actor.stop();
  await project.close();
  await rm(root, { recursive: true });
});

const screen = () => actor.getSnapshot().context;
const version = () => screen().past?.moment.version;

describe('time travel', () => {
  it('shows the sprint as it was, and what became of its question', async () => {
    const titles: (string | undefined)[] = [];
    await time.go({ to: 'first' });
    const { length = 0 } = screen().past?.moment ?? {};
    for (let at = 1; at <= length; at += 1) {
      titles.push(screen().past?.moment.title);
      await time.go({ to: 'event', step: 1 });
    }
    expect(titles).toContain('Question asked');
    await time.go({ to: 'place', text: String(titles.indexOf('Question asked') + 1) });
    const { sprint, past, current } = screen();
    expect([sprint.state, sprint.open.map(({ question }) => question)]).toEqual([
      'blocked',
      ['**Which** grammar?'],
    ]);
    expect(past?.outcomes.get(current ?? '')).toBe('ada answered, on the screen: The new one');
    expect(past?.present.state).toBe('active');
  });

  it('steps over what does not matter, and ends where there is nothing more', async () => {
    await time.go({ to: 'last' });
    const marks: (string | undefined)[] = [];
    for (;;) {
      const before = version();
      await time.go({ to: 'mark', step: -1 });
      if (version() === before) break;
      marks.push(screen().past?.moment.mark);
    }
    expect(marks).toContain('question');
    expect(marks).toContain('answer');
    expect(marks.slice(0, -1)).not.toContain(undefined);
    expect(version()).toBe(1);
  });

  it('begins one event before now', async () => {
    await time.go({ to: 'event', step: -1 });
    const { moment } = screen().past ?? {};
    expect(moment?.version).toBe((moment?.length ?? 0) - 1);
  });

  it('says that a place is beyond the end, and stands there', async () => {
    await time.go({ to: 'place', text: '999' });
    expect(version()).toBe(screen().past?.moment.length);
    expect(screen().notice?.text).toMatch(/^There is no event 999: the last one is \d+$/);
  });

  it('says what a place must be, and stays', async () => {
    await time.go({ to: 'first' });
    await time.go({ to: 'place', text: 'yesterday' });
    expect(version()).toBe(1);
    expect(screen().notice?.text).toMatch(/^yesterday is neither the number of an event nor a time/);
  });

  it('stays at now where the way back was faster than what was on its way', async () => {
    await time.go({ to: 'event', step: -1 });
    const late = time.go({ to: 'first' });
    actor.send({ type: 'keys', strokes: [{ text: 'L' }], room });
    await late;
    expect(screen().past).toBeUndefined();
    await time.go({ to: 'event', step: -1 });
    expect(version()).toBe((screen().past?.moment.length ?? 0) - 1);
  });

  it('shows where it gets to on the way, however fast keys repeat', async () => {
    await time.go({ to: 'first' });
    const seen: (number | undefined)[] = [];
    actor.subscribe(({ context }) => seen.push(context.past?.moment.version));
    await Promise.all([1, 2, 3].map(() => time.go({ to: 'event', step: 1 })));
    expect([...new Set(seen)]).toEqual([2, 4]);
  });

  it('counts each key, also before the first moment is there', async () => {
    await Promise.all([1, 2, 3].map(() => time.go({ to: 'event', step: -1 })));
    expect(version()).toBe((screen().past?.moment.length ?? 0) - 3);
  });

  it('stays at now where a moment is found after the way back', async () => {
    await time.go({ to: 'event', step: -1 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const cursor = time.cursor;
    const seek = cursor?.seek.bind(cursor);
    if (cursor && seek)
      cursor.seek = async (to) => {
        await held;
        return seek(to);
      };
    const seen: (number | undefined)[] = [];
    actor.subscribe(({ context }) => seen.push(context.past?.moment.version));
    const late = time.go({ to: 'first' });
    await new Promise(setImmediate);
    actor.send({ type: 'keys', strokes: [{ text: 'L' }], room });
    const again = time.go({ to: 'event', step: -1 });
    release();
    await Promise.all([late, again]);
    expect(version()).toBe((screen().past?.moment.length ?? 0) - 1);
    expect(seen).not.toContain(1);
  });

  const types = async () => {
    const events = await time.cursor?.events(1, Infinity);
    return events?.map(({ type }) => type) ?? [];
  };

  it('finds events by words, the next one first, and goes from one to another as fast as keys repeat', async () => {
    await time.go({ to: 'first' });
    await time.go({ to: 'words', words: 'PARSER task.' });
    const found = (await types()).flatMap((type, at) => (type.startsWith('task.') ? [at + 1] : []));
    expect(screen().past?.found).toEqual({ words: 'PARSER task.', versions: found });
    expect([version(), found.length]).toEqual([found[0], 2]);
    await Promise.all([1, 1, -1, 1].map((step) => time.go({ to: 'found', step: step === 1 ? 1 : -1 })));
    expect(version()).toBe(found[1]);
    expect(screen().notice?.text).toBe('No later event has this: PARSER task.');
    await time.go({ to: 'last' });
    // As the screen has it, and as a program.
    for (const words of ['Question asked', 'help.requested']) {
      await time.go({ to: 'words', words });
      expect((await types())[(version() ?? 0) - 1]).toBe('help.requested');
    }
  });

  it('finds what has come since', async () => {
    await time.go({ to: 'words', words: 'task.noted' });
    expect(screen().notice?.text).toBe('No event has this: task.noted');
    expect([version(), screen().past?.found]).toEqual([screen().past?.moment.length, undefined]);
    await time.go({ to: 'words', words: 'parser' });
    const before = version() ?? 0;
    await project.dispatch(stream, () => [
      { type: 'task.noted', subject, data: { by: 'agent', text: 'later' } },
    ]);
    await vi.waitFor(() => expect(time.cursor?.length).toBe(before + 1));
    await time.go({ to: 'found', step: 1 });
    expect(version()).toBe(before + 1);
    await time.go({ to: 'words', words: '' });
    expect(screen().past?.found).toBeUndefined();
  });

  it('plays through what was found alone, where that is wanted', async () => {
    await time.go({ to: 'first' });
    await time.go({ to: 'words', words: 'task.' });
    const seen = new Set<number | undefined>();
    const watching = actor.subscribe(({ context }) => seen.add(context.past?.moment.version));
    actor.send({ type: 'keys', strokes: [{ text: 'F' }], room });
    actor.send({ type: 'keys', strokes: [{ text: ' ' }], room });
    await vi.waitFor(() => expect(seen.size).toBe(2), { timeout: 10_000 });
    await vi.waitFor(() => expect(screen().past?.isPlaying).toBe(false), { timeout: 10_000 });
    watching.unsubscribe();
    expect([...seen]).toEqual(screen().past?.found?.versions);
  });

  it('plays to the end, and stops', async () => {
    await time.go({ to: 'first' });
    actor.send({ type: 'keys', strokes: [{ text: ' ' }], room });
    await vi.waitFor(() => expect(version()).toBe(screen().past?.moment.length), { timeout: 10_000 });
    await vi.waitFor(() => expect(screen().past?.isPlaying).toBe(false));
  });

  it('plays nothing where nothing is to move by itself', async () => {
    await time.close();
    const fail = (error: unknown) => expect.fail(String(error));
    time = new TimeTravel({ actor, project, stream, copy: () => undefined, fail, isStill: true });
    await time.go({ to: 'first' });
    actor.send({ type: 'keys', strokes: [{ text: ' ' }], room });
    expect(screen().past?.isPlaying).toBe(false);
    expect(screen().notice?.text).toContain('CLIFFORD_REDUCED_MOTION');
    expect(version()).toBe(1);
  });

  it('tells what changed between two moments, whichever was marked first', async () => {
    await time.go({ to: 'last' });
    actor.send({ type: 'keys', strokes: [{ text: 'd' }], room });
    await time.go({ to: 'first' });
    actor.send({ type: 'keys', strokes: [{ text: 'd' }], room });
    await vi.waitFor(() =>
      expect(screen().past?.changes?.join('\n')).toMatch(/parser is done \(was pending\)/),
    );
    expect(screen().past?.changes).toContain('  parser asked: Which grammar?');
    expect(screen().past?.changes?.[0]).toMatch(/^From event 1 to event \d+: \d+ changes$/);
    expect(version()).toBe(1);
  });

  it('has the commands of a call taken apart that waited then, once, also of one that was decided since', async () => {
    await time.close();
    const own = {
      ...approval,
      server: '@codex',
      isOwn: true,
      tool: 'execute',
      args: { command: 'npm ci' },
    } as const;
    const asked = await askApproval(project, { stream, agent: { id: 'codex' }, approval: own });
    await answerRequest(project, asked.id, { by: 'ada', via: 'tui', response: 'no' });
    const looked: string[] = [];
    const partsOf = (requests: readonly RequestState[]) => {
      looked.push(...requests.map(({ id }) => id));
      const parts = [{ text: 'npm ci', decision: 'confirm', rule: 'default' }] as const;
      return Promise.resolve(
        new Map(requests.map(({ id }) => [id, { parts, writes: [], doubt: undefined }])),
      );
    };
    time = new TimeTravel({
      actor,
      project,
      stream,
      copy: () => undefined,
      fail: (error) => expect.fail(String(error)),
      onMoment: pastCommands({ stream, partsOf, send: (event) => actor.send(event) }),
    });
    await time.go({ to: 'last' });
    expect(looked).toEqual([]);
    for (const step of [-1, 1, -1] as const) await time.go({ to: 'event', step });
    expect(screen().current).toBe(asked.id);
    expect(looked).toEqual([asked.id]);
    expect(screen().commands.get(asked.id)?.parts).toHaveLength(1);
  });

  it('copies the command that writes a report of the run, at its end', () => {
    actor.send({ type: 'over', summary: aSummary() });
    actor.send({ type: 'keys', strokes: [{ text: 'g' }], room });
    expect(copied).toEqual([`clifford report ${stream}`]);
  });

  it('copies the command that opens the moment', async () => {
    await time.go({ to: 'first' });
    actor.send({ type: 'keys', strokes: [{ text: 'y' }], room });
    expect(copied).toEqual([`clifford replay ${stream} --at 1`]);
    await time.close();
    const typedLine = (...words: readonly string[]) => ['npx', 'clifford', ...words].join(' ');
    const fail = (error: unknown) => expect.fail(String(error));
    time = new TimeTravel({ actor, project, stream, copy: (text) => copied.push(text), typedLine, fail });
    actor.send({ type: 'keys', strokes: [{ text: 'y' }], room });
    expect(copied.at(-1)).toBe(`npx clifford replay ${stream} --at 1`);
    expect(screen().notice).toEqual({ tone: 'ok', text: 'Copied: ', tail: copied.at(-1) });
  });
});
