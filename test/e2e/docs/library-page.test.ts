import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { recordDelivery } from '../../../src/workflow/requests/deliver.ts';
import { approval } from '../../helpers/approval.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { openTestProject, tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { untilAsked } from '../../mcp/support/project-log.ts';

const repository = join(import.meta.dirname, '../../..');
const page = await readFile(join(repository, 'docs/library.md'), 'utf8');

/** The examples, by what their first line says. */
const examples = new Map(
  [...page.matchAll(/^```js\n\/\/ (.+)\n([^]+?)^```$/gm)].map(([, title = '', code = '']) => [title, code]),
);

/** A project of a program that has Clifford as a package and `my-agent` on its PATH, which asks which port. */
async function embedder() {
  const root = await tempRoot();
  await writeSprint(root, { id: 'login', tasks: ['form'] });
  const installed = join(root, 'node_modules/clifford');
  await mkdir(installed, { recursive: true });
  await symlink(join(repository, 'dist'), join(installed, 'dist'));
  await cp(join(repository, 'package.json'), join(installed, 'package.json'));
  const agent = fixtureProgram('agents/ask.ts');
  const bin = join(root, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'my-agent'), `#!/bin/sh\nexec "${process.execPath}" "${agent}"\n`, {
    mode: 0o755,
  });
  return { root, bin };
}

/** The code of an example. */
function example(title: string): string {
  const code = examples.get(title);
  if (code === undefined) throw new Error(`docs/library.md has no example "${title}"`);
  return code;
}

/** Runs an example as a program of its own, with nothing on its stdin: whatever has agents or a server, and where it is started. */
function start(title: string, { root, bin }: { root: string; bin: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const PATH = `${bin}${delimiter}${process.env['PATH']}`;
    const options = { cwd: root, env: { ...process.env, PATH, CLIFFORD_PROJECT_ROOT: root } };
    const args = ['--input-type=module', '--eval', example(title)];
    const child = execFile(process.execPath, args, options, (error, out, err) => {
      if (error) reject(new Error(err, { cause: error }));
      else resolve(out);
    });
    child.stdin?.end();
  });
}

/** Runs an example as a module of this process, which is a tenth of starting one. Returns what it prints. */
async function run(title: string, { root, bin }: { root: string; bin: string }): Promise<string> {
  const file = join(root, `${randomUUID()}.mjs`);
  await writeFile(file, example(title));
  let out = '';
  const log = vi.spyOn(console, 'log').mockImplementation((...what: unknown[]) => {
    out += `${format(...what)}\n`;
  });
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH']}`);
  vi.stubEnv('CLIFFORD_PROJECT_ROOT', root);
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  } finally {
    vi.unstubAllEnvs();
    log.mockRestore();
  }
  return out;
}

describe('the examples of docs/library.md', () => {
  it('are all run', () => {
    expect([...examples.keys()]).toEqual([
      'Run a sprint, and answer what its agents ask',
      'Look at a project',
      'Follow what happens',
      'Stop a run, and the loop beside it',
      'Answer what is open, and do again what failed',
      'Decide on tool calls that wait',
      'Run a sprint without waiting for a human',
      'Serve an agent',
    ]);
    expect(page.match(/^```/gm)).toHaveLength(examples.size * 2);
  });

  it('run a sprint, answer its agent, and show and follow its history', async () => {
    const place = await embedder();
    const ran = await start('Run a sprint, and answer what its agents ask', place);
    expect(ran).toBe('form asks: Which port? []\nanswer: 8080\ncompleted all tasks are done\n');

    const looked = await run('Look at a project', place);
    expect(looked).toMatch(/^login done completed form: done\n/);
    expect(looked).toContain('help.answered login/form\n');
    expect(await run('Follow what happens', place)).toMatch(
      /^sprint\.created login\n[^]*sprint\.completed login\n$/,
    );

    const project = await openTestProject(place.root);
    const sources = new Map<string, string>();
    for await (const { events } of project.log.read()) {
      for (const { type, source } of events) sources.set(type, source);
    }
    expect(sources.get('help.answered')).toBe('/clifford/api');
    expect(sources.get('sprint.started')).toBe('/clifford/runner');
  });

  it('stop a run from a loop that ends with it', async () => {
    const ran = await start('Stop a run, and the loop beside it', await embedder());
    expect(ran).toMatch(
      /^sprint\.created login\n[^]*help\.requested login\/form\n[^]*\{ outcome: 'stopped', reason: 'nobody answers today' \}\n$/,
    );
  });

  it('say which question stopped a run that does not wait, and answer it later', async () => {
    const place = await embedder();
    const ran = await start('Run a sprint without waiting for a human', place);
    const { id } = await untilAsked(await openTestProject(place.root));
    expect(ran).toBe(`blocked ${id} Which port?\n`);
    expect(await run('Look at a project', place)).toContain(`${id} help Which port? []\n`);

    const answered = await run('Answer what is open, and do again what failed', place);
    expect(answered).toBe(`{ accepted: true, response: 'Go on' }\n`);
    const again = await start('Run a sprint, and answer what its agents ask', place);
    expect(again).toBe('answer: Go on\ncompleted all tasks are done\n');
  });

  it('refuse some calls together, change one, ask about another, and allow it then', async () => {
    const place = await embedder();
    const project = await openTestProject(place.root);
    const agent = { id: 'run-1', client: 'my-agent' };
    const asks = async (command: string) => {
      const call = { server: '@my-agent', tool: 'execute', isOwn: true, args: { command } } as const;
      const what = { ...approval, ...call, callDigest: command };
      return askApproval(project, { stream: 'adhoc', agent, approval: what, said: 'It is slow.' });
    };
    for (const command of ['git push', 'npm test', 'git push --tags', 'npm ci']) await asks(command);
    const title = 'Decide on tool calls that wait';
    expect((await run(title, place)).split('\n')).toEqual([
      '[',
      "  { accepted: true, response: 'A human pushes' },",
      "  { accepted: true, response: 'A human pushes' }",
      ']',
      "{ accepted: true, response: 'it would watch' }",
      "{ accepted: true, response: 'What is it for?' }",
      '',
    ]);
    await project.refresh();
    await recordDelivery(project, [await asks('npm ci')], agent.id);
    await asks('npm ci');
    expect(await run(title, place)).toBe("[]\nIt is slow. { accepted: true, response: 'yes' }\n");
  });

  it('serve an agent, and answer the questions that are open', async () => {
    const place = await embedder();
    expect(await start('Serve an agent', place)).toBe('');
  });
});

it('docs/library.md names every option and event of a run', async () => {
  const source = (file: string) => readFile(join(repository, 'src/runner/sprint', file), 'utf8');
  const [, own = ''] = (await source('sprint-runner.ts')).split('export type SprintRunnerOptions');
  const internal = /\/\*\*(?:(?!\*\/)[^])*@internal\s*\*\/\s*readonly \w+/g;
  const [published = ''] = own.replaceAll(internal, '').split('};');
  const options = [...published.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name);
  const events = [...(await source('runner-events.ts')).matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(
    ([, name]) => name,
  );
  const [, run = ''] = page.split('## A run');
  const named = new Set([...run.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name));
  expect([...options, ...events].filter((name) => !named.has(name))).toEqual([]);
  expect(options.length + events.length).toBeGreaterThan(20);
});

it('the first answer wins, and the second says whose it was', async () => {
  const place = await embedder();
  await start('Run a sprint without waiting for a human', place);
  const project = await openTestProject(place.root);
  const { id } = await untilAsked(project);
  const { CliffordProject } = await import('../../../src/index.ts');
  const other = await CliffordProject.open({ projectRoot: place.root, by: 'bob' });
  await answerRequest(project, id, { response: '9090', by: 'ann', via: 'cli' });
  expect(await other.answer(id, '8080')).toEqual({
    accepted: false,
    because: 'answered',
    by: 'ann',
    response: '9090',
  });
  expect(await other.answer('q-nobody', '8080')).toEqual({ accepted: false, because: 'unknown' });
  await other.close();
});
