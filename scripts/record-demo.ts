// Records a run of the demo into .clifford/ of this repository, for `npx clifford replay` on a fresh clone.
// Run it after `npm run build`, when the format of the log or the demo has changed.
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createCli } from '../src/cli/cli.ts';
import { playDemo } from '../src/cli/demo/play-demo.ts';
import { prepareDemo } from '../src/cli/demo/prepare-demo.ts';
import { STATE_DIR } from '../src/workflow/project/project-root.ts';

const repository = join(import.meta.dirname, '..');
const record = join(repository, STATE_DIR);
// What is recorded names paths: this one says nothing about the machine.
const root = join('/tmp', 'clifford-demo');
const traces = [repository, homedir()];

const { PATH = '' } = process.env;
for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, {
  PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
  USER: 'you',
  CI: '1',
});

await prepareDemo(root, { agentCmd: 'node node_modules/clifford/dist/demo-agent.js', inGit: false });
try {
  await rename(join(root, 'sprints'), join(root, STATE_DIR, 'sprints'));
  await mkdir(join(root, 'node_modules'));
  await symlink(repository, join(root, 'node_modules', 'clifford'));
  const { cli, exitCode } = createCli(process);
  await playDemo(cli, root);
  if (exitCode() !== 0) throw new Error('Cannot record the demo: it did not complete, see above');

  const log = await readFile(join(root, STATE_DIR, 'events.jsonl'), 'utf8');
  const found = traces.filter((trace) => log.includes(trace));
  if (found.length > 0) throw new Error(`Cannot keep the record: it names ${found.join(', ')}`);

  await rm(record, { recursive: true, force: true });
  await mkdir(record);
  for (const part of ['events.jsonl', 'sprints']) {
    await cp(join(root, STATE_DIR, part), join(record, part), { recursive: true });
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
