import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { clifford, cliFile, startClifford } from '../../helpers/clifford-process.ts';
import type { CliffordOptions, CliffordProcess } from '../../helpers/clifford-process.ts';
import type { Ended } from '../../helpers/ended-process.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openClifford, type CliffordScreen } from '../../helpers/clifford-screen.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import type { PtyScreen } from '../../helpers/pty-screen.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { published } from '../../mcp/support/gateway-servers.ts';

/** What a server needs so that one that is left behind is found after the tests. */
const found = { CLIFFORD_TEST_RUN: '${CLIFFORD_TEST_RUN:-}' };

/** An entry of `servers`: a fixture, or a server from npm. */
export function server(
  program: string,
  { args = [], env = {}, ...rest }: { args?: readonly string[]; env?: object; [key: string]: unknown } = {},
): object {
  const script =
    program === 'everything' || program === 'filesystem'
      ? published[program]
      : fixtureProgram(`mcp-servers/${program}`);
  return { command: process.execPath, args: [script, ...args], env: { ...found, ...env }, ...rest };
}

/** A project with this `mcp.json`. */
export async function mcpProject(content: object | string): Promise<string> {
  const root = await tempRoot();
  await writeMcpJson(root, content);
  return root;
}

/** The same, trusted by whoever runs commands in it. */
export async function trustedProject(content: object): Promise<string> {
  const root = await mcpProject(content);
  const { code, err } = await mcp(root, ['trust', '--yes']);
  if (code !== 0) throw new Error(err);
  return root;
}

type Options = { readonly env?: Readonly<Record<string, string>>; readonly input?: string };

/** The state folder of a person is the project's own: nothing of the tester's is read or written. */
function envIn(root: string): Record<string, string> {
  return { XDG_STATE_HOME: join(root, 'state'), CLIFFORD_TRUST_PROJECT: '' };
}

/** `clifford mcp …` as a process of its own. */
export function startMcp(root: string, args: readonly string[], options: Options = {}): CliffordProcess {
  return startClifford(['mcp', ...args], optionsIn(root, options));
}

/** Runs `clifford mcp …` to its end. */
export function mcp(root: string, args: readonly string[], options: Options = {}): Promise<Ended> {
  return clifford(['mcp', ...args], optionsIn(root, options));
}

/** Runs `clifford policy …` to its end. */
export function policy(root: string, args: readonly string[], options: Options = {}): Promise<Ended> {
  return clifford(['policy', ...args], optionsIn(root, options));
}

/** The same with `--json`, its output read. */
export async function policyJson(
  root: string,
  args: readonly string[],
  options: Options = {},
): Promise<{ code: number | null; json: Record<string, unknown> }> {
  const { code, out } = await policy(root, [...args, '--json'], options);
  return { code, json: JSON.parse(out) as Record<string, unknown> };
}

function optionsIn(root: string, { env, ...rest }: Options): CliffordOptions {
  return { cwd: root, env: { ...envIn(root), ...env }, ...rest };
}

/** The same with `--json`, its output read. */
export async function mcpJson(
  root: string,
  args: readonly string[],
  options: Options = {},
): Promise<{ code: number | null; json: Record<string, unknown> }> {
  const { code, out } = await mcp(root, [...args, '--json'], options);
  return { code, json: JSON.parse(out) as Record<string, unknown> };
}

/** `clifford mcp …` at a terminal. */
export function mcpAtTerminal(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
): CliffordScreen {
  return openClifford(['mcp', ...args], {
    cwd: root,
    env: { ...envIn(root), CLIFFORD_RUN_ID: '', ...env },
    columns: 100,
    rows: 60,
  });
}

/** The same in a terminal of the system. */
export function mcpOnTerminal(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
): PtyScreen {
  const all = { ...envIn(root), USER: 'ada', CLIFFORD_RUN_ID: '', ...env };
  const variables = Object.entries(all).map(([name, value]) => `${name}=${quoted(value)}`);
  const command = [...variables, 'exec', process.execPath, cliFile, 'mcp', ...args.map(quoted)].join(' ');
  const screen = openPty('/bin/sh', ['-c', command], { cwd: root, columns: 100, rows: 60 });
  onTestFinished(() => screen.kill());
  return screen;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
