import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAgentCommand, withPrompt } from '../../src/runner/agent-command.ts';
import { tempRoot } from '../helpers/temp-project.ts';

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
      argv: ['agent', 'run', 'two words', 'a "b"', ''],
      recorded: ['agent', 'run', 'two words', 'a "b"', ''],
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

describe('the prompt', () => {
  it('replaces {prompt} wherever it stands, as it is', () => {
    const command = { argv: ['x', '-p', 'do: {prompt}', '{prompt}'] } as const;
    expect(withPrompt({ ...command, argv: [...command.argv] }, '$& it')).toEqual({
      args: ['-p', 'do: $& it', '$& it'],
      input: undefined,
    });
  });

  it('goes to stdin when no argument wants it', () => {
    expect(withPrompt({ argv: ['x', '--fast'] }, 'it')).toEqual({
      args: ['--fast'],
      input: 'it',
    });
  });
});
