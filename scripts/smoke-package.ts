// Packs Clifford as npm would publish it, installs it in an empty project for each Node it has to run on, and uses
// it there as a newcomer does: demo, run, replay and the library. Needs a build, npm and the network (or npm's cache).
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
/** The oldest Node that is promised, and the newest of two later lines. */
const nodes = [`${engines.node.replace('>=', '')}.0`, '24', '26'];
/** Each step takes seconds; the network and the machine may be slow. */
const stepLimitMs = 180_000;

/** A program of somebody who has installed Clifford: type-checked, compiled, and run. */
const embedder = `import { CliffordError, CliffordMcpServer, SprintRunner } from 'clifford';
import type { RunEnd, SprintRunnerOptions } from 'clifford';
const [, , root = '', agentCmd = ''] = process.argv;
const options: SprintRunnerOptions = { mcpStateDir: \`\${root}/.clifford\`, sprint: 'third', agentCmd };
const refused: unknown = await new SprintRunner({ mcpStateDir: '.' }).run().catch((error: unknown) => error);
if (!(refused instanceof CliffordError) || typeof CliffordMcpServer !== 'function') throw refused;
const end: RunEnd = await new SprintRunner(options).run();
console.log(\`library \${end.outcome}\`);
`;
const tscFlags = [
  ...'--ignoreConfig --strict --module nodenext --target es2024 --types node'.split(' '),
  'embedder.ts',
];

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

const home = await mkdtemp(join(tmpdir(), 'clifford-smoke-'));
try {
  const tarball = await pack();
  const waiting = [...nodes];
  // Two at a time: more are not faster where there are two cores.
  const worker = async (): Promise<void> => {
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) await smoke(node, tarball);
  };
  await Promise.all([worker(), worker()]);
} catch (error) {
  interrupted.abort();
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
}

async function pack(): Promise<string> {
  // The build is there already: `prepare` would make it once more.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', home], {
    cwd: root,
  });
  const file = /"filename": "([^"]+)"/.exec(stdout)?.[1];
  if (file === undefined) throw new Error(`Cannot pack Clifford: npm pack names no file:\n${stdout}`);
  return join(home, file);
}

/** Installs the tarball beside one Node, and uses it. */
async function smoke(version: string, tarball: string): Promise<void> {
  const began = Date.now();
  const folder = join(home, `node-${version}`);
  await mkdir(folder);
  // npm asks whether the script may run that puts Node's program in its place.
  await writeJson(join(folder, 'package.json'), { type: 'module', allowScripts: { node: true } });
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', `node@${version}`, tarball];
  await run('npm', install, { cwd: folder });

  const bin = join(folder, 'node_modules/.bin');
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    CI: 'true',
    CLIFFORD_CONFIG: devNull,
    CLIFFORD_DEMO_PACE_MS: '0',
  };
  const project = join(folder, 'demo');
  const clifford = (...args: string[]) => run(join(bin, 'clifford'), args, { cwd: project, env });
  const expectText = async (what: RegExp, shown: Promise<{ stdout: string }>, name: string) => {
    const { stdout } = await shown;
    if (!what.test(stdout)) throw new Error(`On Node ${version}, ${name} does not say ${what}:\n${stdout}`);
  };

  const { stdout: running } = await run('node', ['--version'], { cwd: folder, env });
  if (!running.startsWith(`v${version}`)) throw new Error(`Node ${version} is ${running.trim()}`);

  // Expressions that this Node does not have fail where a module is loaded, also one that nothing below needs.
  // (Ink loads its devtools where somebody has installed them.)
  const loadAll =
    "import { globSync } from 'node:fs'; import { resolve } from 'node:path'; import { pathToFileURL } from 'node:url';" +
    "for (const file of globSync('node_modules/clifford/dist/{chunks/*,index,main,serve-mcp}.js'))" +
    " if (!file.includes('/devtools-')) await import(pathToFileURL(resolve(file)).href); process.exit(0)";
  await run('node', ['--no-warnings', '--input-type=module', '-e', loadAll], { cwd: folder, env });

  const demo = run(join(bin, 'clifford'), ['demo', '--keep', project], { cwd: folder, env });
  await expectText(/\ndemo completed, 3 of 3 tasks done/, demo, 'clifford demo');

  const agent = join(folder, 'node_modules/clifford/dist/demo-agent.js');
  const agentCmd = `node "${agent}"`;
  await writeSprint(project, 'second');
  const second = clifford('run', 'second', '--agent-cmd', agentCmd);
  await expectText(/^second completed, 1 of 1 tasks? done/m, second, 'clifford run');
  await expectText(/sprint\.completed/, clifford('replay', 'second'), 'clifford replay');
  await expectText(/^verified /m, clifford('replay', '--verify'), 'clifford replay --verify');

  await writeSprint(project, 'third');
  await writeFile(join(folder, 'embedder.ts'), embedder);
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...tscFlags], { cwd: folder });
  const library = run('node', ['embedder.js', project, agentCmd], { cwd: folder, env });
  await expectText(/^library completed$/m, library, 'the library');

  console.log(
    `Node ${running.trim()}: demo, run, replay and the library work (${Math.round((Date.now() - began) / 1000)} s)`,
  );
}

/** A sprint of the one task of the demo that its agent does without a question. */
async function writeSprint(project: string, id: string): Promise<void> {
  const dir = join(project, 'sprints', id);
  await mkdir(dir);
  await writeFile(join(dir, 'module.md'), '# Write the module\n');
  await writeJson(join(dir, 'manifest.json'), { id, name: id, tasks: [{ id: 'module', file: 'module.md' }] });
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Runs a program to its end. @throws {Error} with what it printed when it fails. */
async function run(
  file: string,
  args: readonly string[],
  place: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ stdout: string }> {
  const running = promisify(execFile)(file, args, {
    ...place,
    timeout: stepLimitMs,
    signal: interrupted.signal,
  });
  running.child.stdin?.end();
  try {
    return await running;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new Error(
      `Cannot run ${file} ${args.join(' ')} in ${place.cwd}:\n${stdout}${stderr || String(cause)}`,
      {
        cause,
      },
    );
  }
}
