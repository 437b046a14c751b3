import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';

const run = ['run', '--agent-cmd', agentHere('complete')];

/** One line that says what is wrong, one that says what to do, and exit code 2. */
async function expectInputError(
  args: readonly string[],
  cwd: string,
  message: RegExp | string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, out, err } = await clifford(args, { cwd, env });
  const [first, second, ...rest] = err.split('\n');
  expect(first).toMatch(message);
  expect(first).toMatch(/^clifford: /);
  expect(second).toMatch(/^ {2}\S/);
  expect({ code, out, rest }).toEqual({ code: 2, out: '', rest: [''] });
}

describe('bad input ends with 2 and says what to do', () => {
  it.each([
    [['status']],
    [['questions']],
    [run],
    [['replay']],
    [['answer', 'last', 'x']],
    [['replay', '--verify']],
  ])('%j where there is no .clifford', async (args) => {
    // Nobody keeps a project in the root folder of the machine.
    await expectInputError(args, '/', /no \.clifford\/ in \/ or above it/);
  });

  it.each(['approve', 'deny', 'dismiss', 'skip', 'retry', 'cancel'])(
    '%s with a reason that is too long to be kept',
    async (verb) => {
      const { root } = await projectWithSprint();
      await expectInputError(
        [verb, 'x', '--reason', 'x'.repeat(65_537)],
        root,
        /a text of more than 65536 characters/,
      );
    },
  );

  it('a demo in a folder that cannot be made', async () => {
    const root = await tempRoot();
    await writeFile(join(root, 'file'), '');
    await expectInputError(
      ['demo', '--keep', join(root, 'file')],
      root,
      /demo in .*\/file: it is no folder$/,
    );
    await expectInputError(
      ['demo', '--keep', join(root, 'no/folder')],
      root,
      /demo in .*\/no\/folder: there is no folder .*\/no$/,
    );
  });

  it('a project root that is no folder', async () => {
    const root = await tempRoot();
    await expectInputError(['status'], root, /CLIFFORD_PROJECT_ROOT is not a folder/, {
      CLIFFORD_PROJECT_ROOT: join(root, 'gone'),
    });
  });

  it.each([['run'], ['status'], ['replay'], ['pause'], ['attach']])(
    '%s with an unknown sprint',
    async (command) => {
      const root = await tempRoot();
      await writeSprint(root, { id: 'known' });
      const args = command === 'run' ? [...run, 'other'] : [command, 'other'];
      await expectInputError(args, root, /Cannot find sprint other: the known ones are known/);
    },
  );

  it.each([
    ['is not JSON', '{ "id": ', /manifest\.json:1:9: it is not JSON: unexpected end of input/],
    ['lacks tasks', '{ "id": "demo" }', /manifest\.json:1:1: tasks is missing \(expected a list\)/],
    [
      'has an id twice',
      '{ "id": "demo", "tasks": [{ "id": "a", "file": "a.md" }, { "id": "a", "file": "b.md" }] }',
      /manifest\.json:1:66: tasks\[1\]\.id: a appears twice/,
    ],
  ])('a manifest that %s', async (_what, text, message) => {
    const root = await tempRoot();
    const dir = await writeSprint(root);
    await writeFile(join(dir, 'manifest.json'), text);
    await expectInputError([...run, 'demo'], root, message);
    await expectInputError(run, root, message);
    await expectInputError(['status'], root, message);
  });

  it.each([
    [['mcp', 'inspect'], 'options', 'clifford mcp inspect --help'],
    [['policy', 'tst'], 'commands', 'clifford policy --help'],
    [['rnu'], 'commands', 'clifford --help'],
    [['--debug', 'approve', 'last', '--scope', 'never'], 'options', 'clifford approve --help'],
    [['--nonsense'], 'options', 'clifford --help'],
  ])('%j, and names the help of the command', async (args, what, help) => {
    const { code, err } = await clifford(args, { cwd: await tempRoot() });
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^clifford: .*\\n  See the ${what} with: ${help}\\n$`));
  });

  it('two sprints with one id', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root, { id: 'one' });
    await mkdir(join(root, 'sprints', 'two'));
    await writeFile(
      join(root, 'sprints', 'two', 'manifest.json'),
      await readFile(join(dir, 'manifest.json')),
    );
    await expectInputError(['status'], root, /both have id one/);
  });

  it('several unfinished sprints and no name', async () => {
    const root = await tempRoot();
    await writeSprint(root, { id: 'one' });
    await writeSprint(root, { id: 'two' });
    await expectInputError(run, root, /several are unfinished: one, two/);
  });

  it('no sprint at all', async () => {
    await expectInputError(run, await tempRoot(), /the project has none/);
  });

  it('an agent command that is not there', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    await expectInputError(
      ['run', '--agent-cmd', 'no-such-agent --fast'],
      root,
      /no-such-agent: it is not on the PATH/,
    );
    await expectInputError(['run', '--agent-cmd', '"open quote'], root, /a quote is not closed/);
  });

  it('no agent command', async () => {
    const root = await tempRoot();
    await writeSprint(root);
    await expectInputError(['run'], root, /no agent is configured/);
  });

  it.each([
    [['status']],
    [run],
    [['replay']],
    [['pause']],
    [['answer', 'last', 'x']],
    [['diagram', 'task', '--sprint', 'demo']],
  ])('%j in a log that is damaged in the middle', async (args) => {
    const { root, project } = await projectWithSprint();
    await project.close();
    const log = join(root, '.clifford', 'events.jsonl');
    const sound = await readFile(log, 'utf8');
    await writeFile(log, `${sound}{"no": "event"}\n${sound}`);
    await expectInputError(args, root, `${log}: line 2 (byte ${Buffer.byteLength(sound)}) is damaged`);
  });

  it('a log that a newer Clifford wrote', async () => {
    const { root, project } = await projectWithSprint();
    await project.close();
    const log = join(root, '.clifford', 'events.jsonl');
    const [line = ''] = (await readFile(log, 'utf8')).split('\n');
    await appendFile(log, `${line.replace('"type":"sprint.created"', '"type":"sprint.teleported"')}\n`);
    const message =
      /event type sprint\.teleported: it was written by a newer Clifford \(.*events\.jsonl, line 2, byte \d+\)/;
    await expectInputError(['status'], root, message);
    await expectInputError(['replay', '--verify'], root, message);
  });

  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['status', '--nonsense'], /unknown option '--nonsense'/],
    [['diagram'], /<machine> is missing, one of task, sprint, request: clifford diagram takes <machine>/],
    [['task', 'add', 'a', 'b', 'c'], /clifford task add takes <id> \[text\], and got a, b, c/],
    [['projects', 'list'], /clifford projects takes add, remove or nothing, and got list/],
    [['trust'], /unknown command 'trust': it is clifford mcp trust/],
    [['help', 'nonsense'], /unknown command 'nonsense'/],
    [
      ['answer', 'last', 'x', '--option', '1'],
      /it takes a text, --option, --reject or --rephrase, one of them/,
    ],
    [['diagram', 'nonsense'], /Cannot take nonsense as <machine>: it has to be one of task, sprint, request/],
    [
      ['run', '--max-attempts', '0'],
      /Cannot take 0 for --max-attempts <n>: it is not a whole number above 0/,
    ],
    [['replay', '--until', 'soon'], /Cannot find soon in a history: it is neither a version nor a time/],
    [['answer', 'last', '  '], /Cannot answer last: the answer is empty/],
    [['diagram', 'task', '--task', 'a'], /Cannot mark task a: its sprint is not named/],
  ])('%j', async (args, message) => {
    const { root } = await projectWithSprint();
    await expectInputError(args, root, message);
  });

  it('a task that is not in the sprint', async () => {
    const { root } = await projectWithSprint();
    await expectInputError(
      ['diagram', 'task', '--sprint', 'demo', '--task', 'z'],
      root,
      /Cannot find task z in sprint demo/,
    );
  });
});
