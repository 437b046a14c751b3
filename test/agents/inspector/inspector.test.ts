import { execFile } from 'node:child_process';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { serverFile } from '../../mcp/support/mcp-process.ts';
import { eventsOf, untilAsked } from '../../mcp/support/project-log.ts';
import { installInspector, INSTALL_MS } from './install-inspector.ts';

let program = '';

beforeAll(async () => {
  program = await installInspector();
}, INSTALL_MS + 10_000);

type Output = { code: number; stdout: string; stderr: string };

/** Runs the inspector's command line against a server of its own for the project in `root`. */
function inspect(root: string, ...args: string[]): Promise<Output> {
  const { PATH, TMPDIR, CLIFFORD_TEST_RUN } = process.env;
  // Its home is the project's folder: it keeps what it writes there.
  const env = { PATH, TMPDIR, CLIFFORD_TEST_RUN, HOME: root };
  const command = [
    program,
    '--cli',
    '-e',
    `CLIFFORD_PROJECT_ROOT=${root}`,
    process.execPath,
    serverFile,
    ...args,
  ];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

function callTool(root: string, tool: string, args: Record<string, string>): Promise<Output> {
  const pairs = Object.entries(args).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
  return inspect(root, '--method', 'tools/call', '--tool-name', tool, ...pairs);
}

const resultOf = ({ stdout }: Output) => CallToolResultSchema.parse(JSON.parse(stdout));

it('the inspector, a client that nobody here wrote, lists the tools, and finds their schemas portable', async () => {
  const { root } = await projectWithSprint();
  const output = await inspect(root, '--method', 'tools/list', '--strict');
  expect(output).toMatchObject({ code: 0 });
  const { tools } = ListToolsResultSchema.parse(JSON.parse(output.stdout));
  expect(tools.map(({ name }) => name)).toEqual([
    'get_sprint_context',
    'request_help',
    'ask_clarification',
    'update_task_status',
    'report_uat',
    'update_changelog',
    'complete_sprint',
  ]);
});

it('the inspector takes a sprint from its context to its end', async () => {
  const { root, project } = await projectWithSprint({ tasks: ['a'] });
  const sprintDir = 'sprints/demo';
  const context = resultOf(await callTool(root, 'get_sprint_context', { sprintDir }));
  expect(context.structuredContent).toMatchObject({ sprint: { id: 'demo' }, currentTask: { id: 'a' } });

  const calls = [
    ['update_task_status', { sprintDir, taskId: 'a', status: 'active' }],
    [
      'report_uat',
      { sprintDir, taskId: 'a', title: 'A', changes: 'All of it', verificationSteps: '["Look at it"]' },
    ],
    ['update_task_status', { sprintDir, taskId: 'a', status: 'completed' }],
    ['update_changelog', { sprintId: 'demo', sprintName: 'Demo', entries: '["It works"]' }],
    ['complete_sprint', { sprintDir, summary: 'It works' }],
  ] as const;
  for (const [tool, args] of calls) {
    const output = await callTool(root, tool, args);
    expect(output, `${tool}: ${output.stdout}${output.stderr}`).toMatchObject({ code: 0 });
    expect(resultOf(output).isError, output.stdout).not.toBe(true);
  }
  await project.refresh();
  expect(project.state.streams.get('demo')?.machine.value).toEqual({ done: 'completed' });
});

it.each([
  ['request_help', { task: 'a', reason: 'two ways', question: 'Which colour?' }],
  ['ask_clarification', { question: 'Which colour?', options: '["red","blue"]' }],
])('the inspector asks a human with %s, and gets the answer', async (tool, args) => {
  const { root, project } = await projectWithSprint();
  const asking = callTool(root, tool, args);
  const { id } = await untilAsked(project);
  await answerRequest(project, id, { response: 'blue', by: 'ann', via: 'cli' });
  const output = await asking;
  expect(output).toMatchObject({ code: 0 });
  expect(textOf(resultOf(output))).toBe('blue');
  const [connected] = await eventsOf(project, 'agent.connected');
  expect(connected?.data.client.name).toContain('inspector');
});
