import { expect, it } from 'vitest';
import { isEventType } from '../../../src/events/catalog.ts';
import type { EventType } from '../../../src/events/catalog.ts';
import { requestMachine } from '../../../src/machines/request.machine.ts';
import { sprintMachine } from '../../../src/machines/sprint.machine.ts';
import { taskMachine } from '../../../src/machines/task.machine.ts';
import { createCli } from '../../../src/cli/cli.ts';
import { createProgram, nameOfCommand } from '../../../src/cli/program.ts';
import { ownTools } from '../../../src/mcp/tools/own-tools.ts';
import { waysTo } from '../../../src/workflow/project/ways-to-decide.ts';

/** Nobody decides these by a command: the runner does, or the manifest. */
const ofTheRunner: readonly EventType[] = [
  'sprint.created',
  'sprint.amended',
  'sprint.failed',
  'task.failed',
  'task.retried',
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
  const [clifford, ...argv] = way.split(' ');
  const program = await createProgram(createCli(process).cli, argv);
  let isParsed = false;
  program.commands
    .find((each) => each.name() === argv[0])
    ?.action(() => {
      isParsed = true;
    });
  await program.parseAsync(argv, { from: 'user' });
  return isParsed && nameOfCommand(program, argv) === `${clifford} ${argv[0]}`;
}

it.each(decisions)(
  'what is said to be possible where %s is exists, with its arguments and options',
  async (type) => {
    const ways = waysTo([type], answer);
    const missing = await Promise.all(ways.map(async (way) => ((await exists(way)) ? [] : [way])));
    expect(ways).not.toEqual([]);
    expect(missing.flat()).toEqual([]);
  },
);
