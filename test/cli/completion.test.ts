import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createCli } from '../../src/cli/cli.ts';
import { candidatesFor } from '../../src/cli/completion/candidates.ts';
import { projectWords } from '../../src/cli/completion/project-words.ts';
import { createProgram } from '../../src/cli/program.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const { cli } = createCli(process);
const after = async (...typed: readonly string[]) => candidatesFor(await createProgram(cli, []), typed);

describe('what may follow on a command line', () => {
  it('is every command at first, and none that is hidden', async () => {
    const { words } = await after('');
    expect(words).toEqual(expect.arrayContaining(['run', 'mcp', 'task', 'completion']));
    expect((await after('completion', '')).words).toEqual(['bash', 'zsh', 'fish']);
    expect(await after('completion', 'bash', '')).toEqual({ words: [] });
  });

  it('is a command of a group, an option of a command, or a choice', async () => {
    expect((await after('mcp', '')).words).toContain('trust');
    expect((await after('run', '--')).words).toEqual(
      expect.arrayContaining(['--agent', '--no-wait', '--help']),
    );
    expect((await after('approve', 'last', '--scope', '')).words).toContain('always');
  });

  it.each([
    [['run', ''], 'sprint'],
    [['run', '--agent', ''], 'agent'],
    [['retry', ''], 'task'],
    [['retry', 'a', '--sprint', ''], 'sprint'],
    [['answer', ''], 'request'],
    [['run', '--model', 'x', ''], 'sprint'],
    [['run', '--plain', ''], 'sprint'],
  ])('after %j is a %s of the project', async (typed, subject) => {
    expect(await after(...typed)).toMatchObject({ subject });
  });

  it('is nothing where the words are free', async () => {
    expect(await after('answer', 'last', '')).toEqual({ words: [] });
    expect(await after('run', 'demo', '')).toEqual({ words: [] });
    expect(await after('ask', '')).toEqual({ words: [] });
  });
});

it('says what zsh needs', async () => {
  const { out } = await clifford(['completion', '--help'], { cwd: await tempRoot() });
  expect(out).toContain('autoload -Uz compinit && compinit\n');
});

it('the ids of a project are completed, and nothing where there is none', async () => {
  const { root, project } = await projectWithSprint({ tasks: ['form'] });
  const agent = { id: 'session-1', client: 'opencode' };
  const { id } = await ask(project, {
    stream: 'demo',
    agent,
    kind: 'help',
    task: 'form',
    question: 'Which?',
  });
  const here = { ...cli, env: {}, cwd: root };
  expect(await projectWords(here, 'sprint')).toEqual(['demo']);
  expect(await projectWords(here, 'task')).toEqual(['form']);
  expect(await projectWords(here, 'request')).toEqual([id, 'last']);
  expect(await projectWords({ ...here, cwd: '/' }, 'sprint')).toEqual([]);
});

it('bash completes with the script', async () => {
  const { root } = await projectWithSprint({ id: 'login' });
  const bin = join(await tempRoot(), 'bin');
  await mkdir(bin);
  await symlink(cliFile, join(bin, 'clifford'));
  const env = { PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`, HOME: root };
  const script =
    'source <(clifford completion bash); COMP_WORDS=(clifford run lo); COMP_CWORD=2; _clifford; echo "${COMPREPLY[@]}"';
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: root, env });
  expect(stdout).toBe('login\n');
});
