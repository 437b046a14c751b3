import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAgentCommand } from '../../../src/runner/plan/agent-command.ts';
import type { LaunchOrder } from '../../../src/runner/agents/agent-adapter.ts';
import { customAdapter } from '../../../src/runner/agents/custom.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

async function folderWithAgent(): Promise<string> {
  const root = await tempRoot();
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin/agent'), '#!/bin/sh\n');
  await chmod(join(root, 'bin/agent'), 0o755);
  await writeFile(join(root, 'bin/notes'), 'no program\n');
  return root;
}

describe('an agent command', () => {
  it('is split at spaces outside of quotes and found on the PATH', async () => {
    const root = await folderWithAgent();
    const command = parseAgentCommand(`agent run "two words" 'a "b"' ""`, {
      cwd: root,
      path: `/nowhere:${join(root, 'bin')}`,
    });
    expect(command).toEqual({
      file: join(root, 'bin/agent'),
      name: 'agent',
      args: ['run', 'two words', 'a "b"', ''],
    });
  });

  it('with a slash is found from the folder the agent runs in', async () => {
    const root = await folderWithAgent();
    expect(parseAgentCommand('./bin/agent', { cwd: root }).file).toBe(join(root, 'bin/agent'));
  });

  it.each([
    ['missing', 'Cannot start agent command missing: it is not on the PATH'],
    ['notes', 'Cannot start agent command notes: it is not on the PATH'],
  ])('%s that cannot be run is an input error', async (name, message) => {
    const root = await folderWithAgent();
    expect(() => parseAgentCommand(name, { cwd: root, path: join(root, 'bin') })).toThrow(
      expect.objectContaining({ code: 'AGENT_NOT_FOUND', recovery: 'fix-input', message }),
    );
  });

  it.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['agent "half', 'a quote is not closed'],
  ])('%j is refused', (line, why) => {
    expect(() => parseAgentCommand(line, { cwd: '/' })).toThrow(
      expect.objectContaining({ code: 'AGENT_COMMAND_INVALID', message: expect.stringContaining(why) }),
    );
  });
});

const order: LaunchOrder = {
  prompt: '$& {model} it',
  model: 'large',
  sessionId: undefined,
  newSessionId: '01900000-0000-7000-8000-000000000000',
  mcp: { command: 'node', args: ['mcp.js'], env: { A: 'b' } },
  projectRoot: '/project',
  runDir: '/project/.clifford/runs/run-1',
  args: [],
  env: {},
};

describe('a command line is started', () => {
  const launch = (args: readonly string[], more: Partial<LaunchOrder> = {}, resumeArgs?: readonly string[]) =>
    customAdapter({ args, resumeArgs, createParser: undefined }).launch({ ...order, ...more });

  it('with what its marks stand for, as it is', () => {
    expect(launch(['-p', 'do: {prompt}', '--model={model}', '{other}'])).toMatchObject({
      args: ['-p', 'do: $& {model} it', '--model=large', '{other}'],
      input: undefined,
    });
  });

  it('with a prompt that is no flag, however the project words it', () => {
    expect(launch(['{prompt}'], { prompt: '--yolo' }).args).toEqual(['\n--yolo']);
  });

  it('with the prompt on stdin when no argument wants it', () => {
    expect(launch(['--fast'])).toMatchObject({ args: ['--fast'], input: order.prompt });
  });

  it('with another line for a session, if it has one', () => {
    const again = ['--resume', '{session}'];
    expect(launch(['--new'], { sessionId: 's-1' }, again).args).toEqual(['--resume', 's-1']);
    expect(launch(['--new'], {}, again).args).toEqual(['--new']);
    expect(launch(['--new'], { sessionId: 's-1' }).args).toEqual(['--new']);
  });

  it('with a file that names the MCP server, where it asks for one', () => {
    const { args, files } = launch(['--mcp', '{mcpConfig}']);
    const path = '/project/.clifford/runs/run-1/mcp.json';
    expect(args).toEqual(['--mcp', path]);
    expect(files?.map((file) => [file.path, JSON.parse(file.text)])).toEqual([
      [path, { mcpServers: { clifford: { type: 'stdio', ...order.mcp } } }],
    ]);
    expect(launch(['--none']).files).toEqual([]);
  });
});
