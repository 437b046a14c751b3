import { expect, it } from 'vitest';
import { isEventType } from '../../../src/events/catalog.ts';
import type { EventType } from '../../../src/events/catalog.ts';
import { requestMachine } from '../../../src/machines/request.machine.ts';
import { sprintMachine } from '../../../src/machines/sprint.machine.ts';
import { taskMachine } from '../../../src/machines/task.machine.ts';
import { createCli } from '../../../src/cli/cli.ts';
import { createProgram, findCommand } from '../../../src/cli/program.ts';
import { ownTools } from '../../../src/mcp/tools/own-tools.ts';
import { waysTo } from '../../../src/workflow/project/ways-to-decide.ts';

/** Nobody decides these by a command: the runner does, or the manifest. */
const ofTheRunner: readonly EventType[] = [
  'sprint.created',
  'sprint.amended',
  'sprint.failed',
  'task.retried',
  'task.reopened',
];

const decisions: readonly EventType[] = [
  ...new Set(
    [sprintMachine, taskMachine, requestMachine]
      .flatMap(({ events }) => events as readonly string[])
      .filter(isEventType)
      .filter((type) => /^(sprint|task)\.|^help\.(answered|dismissed)$/.test(type)),
  ),
].filter((type) => !ofTheRunner.includes(type));

const answer = {
  type: 'help.answered',
  subject: 'demo/plan',
  data: { requestId: 'q-1', response: 'x', by: 'me', via: 'cli' },
} as const;

it('covers every state of every machine: each has decisions', () => {
  expect(decisions.length).toBeGreaterThan(10);
});

/** A tool takes the status that is named, a command is parsed to its end. */
async function exists(way: string): Promise<boolean> {
  const tool = /^the tool (\w+)(?: \((\w+)\))?$/.exec(way);
  if (tool) {
    const [, name, status = 'sprintDir'] = tool;
    const listing = ownTools.find((each) => each.name === name)?.listing();
    return JSON.stringify(listing?.inputSchema ?? '').includes(JSON.stringify(status));
  }
  const [clifford, ...argv] = way.replace('"…"', 'why').split(' ');
  const program = await createProgram(createCli(process).cli, argv);
  const { name } = findCommand(program, argv);
  let isParsed = false;
  const [, outer, inner] = name.split(' ');
  const group = program.commands.find((each) => each.name() === outer);
  (group?.commands.find((each) => each.name() === inner) ?? group)?.action(() => {
    isParsed = true;
  });
  await program.parseAsync(argv, { from: 'user' });
  return isParsed && way.startsWith(`${name} `) && name !== clifford;
}

it.each(decisions.flatMap((type) => [true, false].map((isAgent) => ({ type, isAgent }))))(
  'what is said to be possible where $type is exists, to an agent $isAgent, with its arguments and options',
  async ({ type, isAgent }) => {
    const reader = { isAgent, hasRunner: false, isQueued: false };
    const ways = waysTo([type], answer, reader);
    const missing = await Promise.all(ways.map(async (way) => ((await exists(way)) ? [] : [way])));
    // What there is for one of them only is told to nobody else.
    expect(ways.length + waysTo([type], answer, { ...reader, isAgent: !isAgent }).length).toBeGreaterThan(0);
    expect(ways.filter((way) => !isAgent && !way.startsWith('clifford '))).toEqual([]);
    expect(missing.flat()).toEqual([]);
  },
);

it('names tools to an agent that speaks to the MCP server, and commands alone to everybody else', () => {
  const types: readonly EventType[] = ['sprint.completed', 'task.blocked', 'task.completed', 'task.skipped'];
  expect(waysTo(types, answer, { isAgent: true, hasRunner: false, isQueued: false })).toEqual([
    'clifford skip plan --sprint demo',
    'the tool complete_sprint',
    'the tool update_task_status (blocked, completed)',
  ]);
  expect(waysTo(types, answer, { isAgent: false, hasRunner: false, isQueued: false })).toEqual([
    'clifford task done plan --sprint demo',
    'clifford skip plan --sprint demo',
  ]);
});

it('names the command that takes a sprint out of the queue in place of a run, and of nothing to an agent', async () => {
  const types: readonly EventType[] = ['task.started', 'task.skipped'];
  const queued = { hasRunner: false, isQueued: true };
  const ways = waysTo(types, answer, { ...queued, isAgent: false });
  expect(ways).toEqual(['clifford skip plan --sprint demo', 'clifford queue cancel demo']);
  for (const way of ways) expect(await exists(way)).toBe(true);
  expect(waysTo(types, answer, { ...queued, isAgent: true })).toEqual(['clifford skip plan --sprint demo']);
});
