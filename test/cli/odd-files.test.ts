import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { startRun } from '../helpers/sprint-run.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

/** What Clifford reads and writes below `.clifford/` and in the folder of a sprint. */
const files = [
  '.clifford/events.jsonl',
  '.clifford/memory.json',
  '.clifford/policy.json',
  '.clifford/mcp-block.json',
  '.clifford/mcp-response.json',
  '.clifford/cache/state.json',
  '.clifford/cache/made-folders.json',
  '.clifford/locks/projections.lock',
  '.clifford/locks/runner-demo.lock',
  '.clifford/locks/temporary-edits.lock',
  '.clifford/locks/signals.lock',
  '.clifford/locks/signals-next.lock',
  '.clifford/locks/commit.lock',
  '.clifford/before/demo/a.json',
  '.clifford/runs/run-a.lock',
  '.clifford/temporary-edits/a.applied.json',
  '.clifford/temporary-edits/users/run-a',
  '.clifford/transcripts/run-a.cast',
  '.clifford/mcp/a.log',
  '.clifford/definitions/a.json',
  'sprints/demo/manifest.json',
  'sprints/demo/uat.md',
  'sprints/demo/a.md',
];

const folders = [
  'before',
  'temporary-edits',
  'temporary-edits/users',
  'cache',
  'claimed',
  'locks',
  'mcp',
  'runs',
  'transcripts',
];

type Make = (path: string) => Promise<unknown>;
const pipe: Make = async (path) => execFileSync('mkfifo', [path]);
const kinds: [string, Make][] = [
  ['a named pipe', pipe],
  ['a folder', (path) => mkdir(path)],
  ['a link to a device', (path) => symlink('/dev/zero', path)],
];

/** A project with a sprint whose task ends with its agent, and an open question about it. */
async function projectThatAsks() {
  const { root, project } = await projectWithSprint({
    tasks: ['a'],
    manifest: { done: 'exit-0', verify: ['true'] },
  });
  const agent = { id: 'session-1', client: 'opencode' };
  const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Port?', task: 'a' });
  await project.close();
  // What only comes with an agent that needs it.
  await mkdir(join(root, '.clifford/runs/run-a'), { recursive: true });
  return { root, id };
}

async function replace(root: string, name: string, make: Make): Promise<void> {
  const path = join(root, name);
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await make(path);
}

/** Commands that read and write end, each with a line that says what is wrong, if something is. */
async function expectClearEnds({ root, id }: { root: string; id: string }): Promise<void> {
  for (const args of [['status'], ['answer', id, '8080']]) {
    const { code, err } = await clifford(args, { cwd: root });
    expect([0, 2]).toContain(code);
    expect(err).toMatch(code === 2 ? /^clifford: Cannot [^\n]+\n {2}[^\n]+\n$/ : /^(?:note: [^\n]+\n)*$/);
  }
}

/** A run completes its sprint, or says what is to be corrected. */
async function expectRunEnds(root: string): Promise<void> {
  const { ended } = startRun(root, { projectRoot: root, agentCmd: 'true' });
  const end = await ended.catch((error: unknown) => error);
  expect([{ outcome: 'completed' }, { recovery: 'fix-input' }]).toContainEqual(pick(end));
}

function pick(end: unknown): object {
  const { outcome, recovery } = end as { outcome?: string; recovery?: string };
  return outcome === undefined ? { recovery } : { outcome };
}

describe.each(kinds)('%s in the place of a file', (_kind, make) => {
  it.each(files)('%s holds up no command', async (file) => {
    const project = await projectThatAsks();
    await replace(project.root, file, make);
    await expectClearEnds(project);
    if (make === pipe) await expectRunEnds(project.root);
  });

  it('holds up no doctor, who names what does not follow the log', async () => {
    const { root } = await projectThatAsks();
    for (const file of files.slice(1)) await replace(root, file, make);
    const { code, out } = await clifford(['doctor'], { cwd: root, env: { PATH: '' } });
    expect(code).toBe(1);
    expect(out).toContain('.clifford/memory.json does not say what the log says');
    expect(out).toMatch(/Cannot read manifest .*manifest\.json: it is a /);
  });
});

it.each(folders)('a named pipe in the place of .clifford/%s holds up no command', async (folder) => {
  const project = await projectThatAsks();
  await replace(project.root, join('.clifford', folder), pipe);
  await expectClearEnds(project);
  await expectRunEnds(project.root);
});

it('an answer is an answer while memory.json is a named pipe, and is in it once it is not', async () => {
  const { root, id } = await projectThatAsks();
  const path = join(root, '.clifford/memory.json');
  await replace(root, '.clifford/memory.json', pipe);
  const { code, err } = await clifford(['answer', id, '8080'], { cwd: root });
  expect([code, err]).toEqual([
    0,
    `note: Cannot write ${path}: it is a named pipe; what was decided is in the log. ` +
      'Do not decide it again: make the file writable, and it is brought up to date\n',
  ]);
  await rm(path);
  await startRun(root, { projectRoot: root, agentCmd: 'true' }).ended;
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    demo: { a: { question: 'Port?', answer: '8080' } },
  });
});

describe('while an agent works', () => {
  /** A project whose agent is this shell script. */
  async function projectOf(script: string, manifest: object = {}) {
    const { root, project } = await projectWithSprint({
      tasks: ['a', 'b'],
      manifest: { done: 'exit-0', verify: ['true'], ...manifest },
    });
    await project.close();
    await writeFile(join(root, 'agent.sh'), script);
    return root;
  }
  const args = ['run', '--plain', '--agent-cmd', 'sh agent.sh'];

  it('a manifest that it makes a named pipe ends no differently from one that is no JSON', async () => {
    const end = async (change: string) => {
      const root = await projectOf(`cd sprints/demo && rm -f manifest.json && ${change}`);
      const { code, out } = await clifford(args, { cwd: root });
      return { code, ends: out.match(/(?:task|sprint)\.(?:completed|failed)/g) };
    };
    const [asPipe, asText] = [await end('mkfifo manifest.json'), await end('echo {oops >manifest.json')];
    expect(asPipe).toEqual(asText);
    expect(asPipe.code).toBe(0);
  });

  it('a manifest that it makes a named pipe does not keep the run from ending when it is told to', async () => {
    // Between the first task and the second the runner reads the manifest.
    const root = await projectOf(`
      test -e second && exec sleep 60
      touch second && cd sprints/demo && rm -f manifest.json && exec mkfifo manifest.json`);
    const run = startClifford(args, { cwd: root });
    // What waits for a pipe to be opened hears no other signal.
    onTestFinished(() => run.kill('SIGKILL'));
    const project = await openTestProject(root);
    await project.until((state) => state.streams.get('demo')?.tasks.get('b')?.agent && true);
    run.kill('SIGTERM');
    expect((await run.ended).signal).toBeNull();
  });

  it('locks that it makes a link lead nobody out of the project', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'clifford-outside-'));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    await mkdir(join(outside, 'locks'));
    const root = await projectOf(`rm -rf .clifford/locks; ln -sfn ${outside}/locks .clifford/locks`);
    const { err } = await clifford(args, { cwd: root });
    expect(await readdir(join(outside, 'locks'))).toEqual([]);
    expect(err).toContain(`Cannot use ${root}/.clifford/locks: it is a symbolic link`);
  });
});

it.each([['status'], ['questions'], ['replay'], ['run']])(
  '`clifford %s` calls a .clifford that leads to itself no project, and no bug',
  async (command) => {
    const root = await tempRoot();
    await rm(join(root, '.clifford'), { recursive: true });
    await symlink('.clifford', join(root, '.clifford'));
    const { code, err } = await clifford([command], { cwd: root });
    expect({ code, line: err.split('\n')[0] }).toEqual({
      code: 2,
      line: `clifford: Cannot find a project: no .clifford/ in ${root} or above it`,
    });
  },
);
