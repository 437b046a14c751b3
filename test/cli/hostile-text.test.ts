import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Command } from 'commander';
import { createCli } from '../../src/cli/cli.ts';
import type { CliPlace } from '../../src/cli/cli.ts';
import { main } from '../../src/cli/main.ts';
import { createProgram } from '../../src/cli/program.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { approval } from '../helpers/approval.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { on } from '../helpers/history.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

/** Escape sequences in 7 and 8 bits, a window's title, a turn of direction, and what has no width. */
const evil = 'x\u001B[2J\u001B]0;mine\u0007\u009B31m\u202Egpj.exe\u2066\u200B\u{E0041}\u2028y';
/** What a task may be called. */
const evilId = 'x\u202Egpj\u2066\u200By';
/** A folder that is a project of its own. */
const evilFolder = `of${evil}`;
const acting = new RegExp(
  String.raw`(?!\n)[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]`,
  'u',
);

/** Runs a command in this process, in `root`. */
async function run(
  root: string,
  argv: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const env = { ...process.env, CI: '1', USER: evil, XDG_STATE_HOME: join(root, '.state') };
  const place = { stdin, stdout, stderr, env, cwd: () => root };
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await main(argv, place as unknown as CliPlace);
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { code, out, err };
}

/** Whether programs can read what a command printed for them; a history has a value per line. */
function isJson([command]: readonly string[], out: string): boolean {
  try {
    for (const json of command === 'replay' ? out.trimEnd().split('\n') : [out]) JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** Every command, and what of it is filled with text of others. */
const calls: readonly (readonly string[])[] = [
  ['--help'],
  [evil],
  ['init', '--dry-run'],
  ['init', '--agent', evil],
  ['doctor', '--json'],
  ['status'],
  ['status', '--json'],
  ['status', 'demo'],
  ['status', evil],
  ['questions'],
  ['questions', '--json'],
  ['questions', '--all', '--json'],
  ['answer', evil, 'text'],
  ['answer', 'last', evil],
  ['answer', 'last', evil],
  ['approve', evil],
  ['approve', 'last', '--reason', evil],
  ['approve', 'last', '--command', evil],
  ['approve', 'last', '--same', '--yes'],
  ['explain', evil],
  ['explain', 'last', evil],
  ['deny', evil],
  ['deny', 'last', '--reason', evil],
  ['dismiss', evil],
  ['dismiss', 'last', '--reason', evil],
  ['pause', evil],
  ['pause', 'demo', '--reason', evil],
  ['resume', evil],
  ['resume', 'demo'],
  ['retry', evil, '--sprint', evil],
  ['retry', evilId],
  ['clean', '--drop', evil, '--sprint', 'demo'],
  ['clean', '--dry-run', '--sprint', evil],
  ['log', 'copy', evil, evil],
  ['serve', 'push', 'list'],
  ['serve', 'push', 'forget', evil],
  ['skip', evil, '--sprint', 'demo'],
  ['skip', evilId, '--sprint', 'demo', '--reason', evil],
  ['run', evil],
  ['attach', evil],
  ['replay', evil],
  ['replay', 'demo'],
  ['replay', 'demo', '--json'],
  ['replay', 'demo', '--changes-since', '1'],
  ['replay', 'demo', '--summary'],
  ['replay', '--changes-since', evil],
  ['replay', '--verify'],
  ['export', evil],
  ['export', evilId],
  ['report', evil],
  ['report', '--output', '-'],
  ['report', '--output', '-', '--json'],
  ['report', '--output', evil],
  // The folder of a project is called as others want.
  ['projects', 'add', evilFolder],
  ['projects', 'add', evil],
  ['projects'],
  ['projects', '--json'],
  ['projects', 'remove', evil],
  ['questions', '--everywhere'],
  ['questions', '--everywhere', '--json'],
  ['status', '--everywhere'],
  ['status', evil, '--everywhere', '--json'],
  ['--project', evil, 'status'],
  ['projects', 'remove', evilFolder],
  ['config', '--explain'],
  ['config', '--json', '--sprint', 'demo'],
  ['config', '--task', evil],
  ['diagram', evil],
  ['diagram', 'task', '--sprint', 'demo'],
  ['diagram', 'task', '--sprint', 'demo', '--task', evil],
  ['ask', '--request', evil],
  ['ask', '--question', evil, '--wait', evil],
  ['ask', evil, '--request', evil],
  ['mcp', 'list'],
  ['mcp', 'list', '--json'],
  ['mcp', 'trust'],
  ['mcp', 'trust', '--json'],
  ['mcp', 'doctor', '--json'],
  ['mcp', 'inspect', evil],
  ['mcp', 'call', evil, evil],
  ['policy', 'list', '--json'],
  ['policy', 'test', 'files', evil],
  ['policy', 'test', 'files', evil, '--json'],
  ['policy', 'test', '--log'],
  ['policy', 'test', '--log', '--json'],
  ['policy', 'test', '--log', '--sprint', evil],
  ['policy', 'test', '--rules', evil],
  ['policy', 'suggest'],
  ['policy', 'suggest', '--json'],
  ['policy', 'judge', evil],
  ['policy', 'judge', 'execute', '--command', evil, '--agent', evil],
  ['policy', 'judge', 'edit', '--path', evil, '--json'],
  ['policy', 'remove', evil],
  ['mcp', 'add', evil, '--', evil],
  ['mcp', 'add', 'more', '--json', '--', evil],
  ['mcp', 'remove', evil],
  ['notify', 'test'],
  ['notify', 'test', '--json'],
  ['notify', 'test', evil],
  ['notify', 'trust'],
  ['serve', '--port', evil],
  ['serve', '--host', evil],
  ['serve', 'token', 'add', evil],
  ['serve', 'token', 'add', 'phone', '--json', '--expires', evil],
  ['serve', 'token', 'list'],
  ['serve', 'token', 'list', '--json'],
  ['serve', 'token', 'revoke', evil],
  ['sprint', 'new', evil],
  ['sprint', 'new', 'more', '--name', evil],
  ['task', 'add', evil, evil, '--sprint', 'demo'],
  ['task', 'add', 'more', '--sprint', 'demo', '--depends-on', evil],
  ['task', 'changes', evil, '--sprint', 'demo'],
  ['task', 'changes', evilId, '--sprint', 'demo'],
  ['task', 'done', evil, '--sprint', 'demo'],
  ['task', 'done', evilId, '--sprint', evil],
  ['task', 'fail', evil, '--reason', evil],
  ['task', 'note', evil, '--task', evil],
  ['task', 'note', evil, '--task', evilId, '--sprint', 'demo'],
  ['note', evil, evil],
  ['note', evilId, evil, '--sprint', 'demo'],
  ['completion', evil],
  ['completion', 'words', evil],
  ['stop', evil],
  ['cancel', evil],
  ['cancel', 'demo', '--reason', evil],
  ['status', '--json', '--debug', evil],
];

/** A project in which everything that others may name has such a name. */
async function hostileProject(): Promise<string> {
  const sprint = { tasks: ['a', evilId], manifest: { name: evil } };
  const { root, project, stream } = await projectWithSprint(sprint);
  const broken = join(root, 'sprints', evil);
  await mkdir(broken, { recursive: true });
  await writeFile(join(broken, 'manifest.json'), `{"id":"${evil}","tasks":1}`);
  const agents = { [evil]: { command: [evil] } };
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ [evil]: evil, agents }));
  await writeFile(join(root, 'opencode.json'), `{ "${evilId}": "\u009B2J" }`);
  const files = { command: evil, args: [evil], env: { [evil]: evil } };
  const mcpServers = { files, [evil]: files };
  await writeFile(join(root, 'mcp.json'), JSON.stringify({ mcpServers, [evil]: evil }));
  const agent = { id: evil, client: evil };
  const call = { ...approval, server: evil, tool: evil, args: { [evil]: evil } };
  await askApproval(project, { stream, taskId: 'a', agent, approval: call });
  const asked = { kind: 'help' as const, question: evil, reason: evil, context: evil, options: [evil] };
  await ask(project, { stream, task: 'a', agent, ...asked });
  await ask(project, { stream, agent, ...asked });
  await mkdir(join(root, evilFolder, '.clifford'), { recursive: true });
  const transcript = '.clifford/transcripts/run-1.cast';
  await project.record(stream, [on(`${stream}/a`, 'agent.started', { runId: 'run-1', transcript })]);
  return root;
}

describe('text of others', () => {
  it('never acts on the terminal, whichever command prints it', async () => {
    const root = await hostileProject();
    const acts: string[] = [];
    const shows: string[] = [];
    const broken: string[] = [];
    for (const argv of calls) {
      const { code, out, err } = await run(root, argv);
      const line = JSON.stringify([...argv, code]);
      if (acting.test(out) || acting.test(err))
        acts.push(`${line}: ${JSON.stringify(acting.exec(out + err))}`);
      if (/\\u(?:001b|202e)/.test(out + err)) shows.push(line);
      if (argv.includes('--json') && code === 0 && !isJson(argv, out)) broken.push(line);
    }
    expect({ acts, broken }).toEqual({ acts: [], broken: [] });
    // What is hostile was there to be printed.
    expect(shows.length).toBeGreaterThan(calls.length / 2);
  });

  it('is looked at in the output of every command', async () => {
    const { cli } = createCli(process);
    const leaves = ({ commands }: Command, above: readonly string[]): string[] =>
      commands.length === 0
        ? [above.join(' ')]
        : commands.flatMap((each) => leaves(each, [...above, each.name()]));
    const program = await createProgram(cli, []);
    const tried = new Set(calls.map((argv) => argv.filter((word) => /^[a-z]+$/.test(word)).join(' ')));
    const untried = leaves(program, []).filter(
      (name) => ![...tried].some((call) => `${call} `.startsWith(`${name} `)),
    );
    // The demo prints our own texts; others speak with a program, and what `mcp serve` says on stderr is below. Those of a
    // queue need a server.
    const ofServers = ['queue add', 'queue list', 'queue move', 'queue cancel', 'worker', 'log access'];
    expect(untried).toEqual(['demo', ...ofServers, 'mcp serve', 'acp']);
  });

  it.each([
    ['the command', []],
    // Node runs the first file that it is given.
    ['the program', [join(dirname(cliFile), 'mcp-entry.js')]],
  ])('never acts on the terminal of whoever starts a server: %s', async (_what, nodeArgs) => {
    const root = await tempRoot();
    const env = { CLIFFORD_PROJECT_ROOT: join(root, evil) };
    const { err } = await clifford(['mcp', 'serve'], { cwd: root, env, nodeArgs });
    expect(err).toContain('gpj.exe');
    expect(err).not.toMatch(acting);
  });

  it.each([
    ['the command', []],
    ['the program', [join(dirname(cliFile), 'mcp-entry.js')]],
  ])('never acts on that terminal while it serves: %s', async (_what, nodeArgs) => {
    const root = await tempRoot();
    const env = { CLIFFORD_PROJECT_ROOT: root };
    const input = `no JSON: ${evil}\n`;
    const { err } = await clifford(['mcp', 'serve'], { cwd: root, env, nodeArgs, input });
    expect(err).toMatch(/^clifford mcp: .*not valid JSON\n$/);
    expect(err).toContain('no JSON');
    expect(err).not.toMatch(acting);
  });
});
