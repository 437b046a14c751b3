// Records what the agents' command lines print, for the tests of the parsers: test/fixtures/agent-output/<agent>-<version>/.
//   npx node test/agents/record-output.ts [agent ...] [case ...]
// Needs `npm run agents:install` and `npm run build`. Paths, ports and the like are made neutral.
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeSprint } from '../helpers/temp-project.ts';
import type { AgentCli } from './harness/agent-cli.ts';
import { agentClis } from './harness/agent-clis.ts';
import { makePlace } from './harness/agent-place.ts';
import { agentsBin } from './harness/installed.ts';
import { recordedCases } from './harness/recorded-cases.ts';
import type { RecordedCase } from './harness/recorded-cases.ts';
import { cliffordMcp, runByHand } from './harness/run-by-hand.ts';
import { startModelServer } from '../../src/runner/scripted-model/model-server.ts';

const repository = join(import.meta.dirname, '../..');
const names = process.argv.slice(2);
const known = [...agentClis, ...recordedCases].map(({ name }) => name);
const unknown = names.filter((name) => !known.some((one) => one === name));
if (unknown.length > 0)
  throw new Error(`Cannot record ${unknown.join(', ')}: the known ones are ${known.join(', ')}`);

/** Those that were named, or all if none was. */
const chosen = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] => {
  const some = all.filter(({ name }) => names.includes(name));
  return some.length === 0 ? all : some;
};

for (const agent of chosen(agentClis)) {
  const folder = join(repository, 'test/fixtures/agent-output', `${agent.name}-${await versionOf(agent)}`);
  await mkdir(folder, { recursive: true });
  for (const one of chosen(recordedCases)) {
    if (one.agents?.includes(agent.name) === false) continue;
    const started = performance.now();
    const { out, err, code, model } = await record(agent, one);
    await writeFile(join(folder, `${one.name}.jsonl`), out);
    if (err !== '') await writeFile(join(folder, `${one.name}.stderr.txt`), err);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${agent.name} ${one.name}: code ${code}, ${seconds} s, model: ${model.join(' | ')}`);
  }
}

async function record(agent: AgentCli, one: RecordedCase) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'clifford-record-')));
  const place = await makePlace(root);
  const { project } = place;
  const sprintDir = await writeSprint(project, { tasks: ['greet'] });
  const server = await startModelServer({ script: one.script({ project, sprintDir }) });
  try {
    const settled = await agent.settle(place.home, server);
    const env = { ...settled, ...one.env?.[agent.name], CLIFFORD_CONFIG: devNull };
    const mcp = one.mcp ?? cliffordMcp(project, sprintDir);
    const limits = one.limitMs === undefined ? {} : { limitMs: one.limitMs };
    const run = { agent, place, env, mcp, ...limits };
    let ended = await runByHand({ ...run, prompt: 'Work on task greet of the sprint "Demo".' });
    if (one.resume !== undefined) {
      const sessionId = agent.sessionId.exec(ended.out)?.[1];
      if (sessionId === undefined)
        throw new Error(`${agent.name} printed no session id:\n${ended.out}${ended.err}`);
      ended = await runByHand({ ...run, prompt: one.resume, sessionId });
    }
    const neutral = neutralised([
      [place.scratch, '/tmp'],
      [root, '/home'],
      // Some say where a file is from the root of the file system.
      [root.slice(1), 'home'],
      // And one makes a name of the path.
      [root.replaceAll('/', '-'), '-home'],
      [process.execPath, '/usr/bin/node'],
      [await realpath(dirname(agentsBin)), '/usr/lib/node_modules'],
      [repository, '/usr/lib/clifford'],
      [new URL(server.url).host, '127.0.0.1:8080'],
    ]);
    return {
      code: ended.code,
      model: server.exchanges.filter(({ key }) => key !== undefined).map(({ answered }) => answered),
      out: neutral(ended.out),
      err: neutral(ended.err),
    };
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** Makes the function that replaces what is only so on the machine of the recording. */
function neutralised(
  replacements: readonly (readonly [from: string, to: string])[],
): (text: string) => string {
  return (text) => replacements.reduce((before, [from, to]) => before.replaceAll(from, to), text);
}

async function versionOf({ packageName }: AgentCli): Promise<string> {
  const file = join(agentsBin, '..', packageName, 'package.json');
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).version;
}
