import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  answerFileSchema,
  blockFileSchema,
  questionFileSchema,
  responseFileSchema,
} from '../../src/signals/file-schemas.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { untilAsked } from '../mcp/support/project-log.ts';
import { askOf, closed, filesIn, serveFiles } from '../signals/support/serve-files.ts';

const page = await readFile(new URL('../../docs/file-ipc.md', import.meta.url), 'utf8');

/** The examples, by what their first line says. */
const examples = new Map(
  [...page.matchAll(/^```bash\n# (.+)\n([^]+?)^```$/gm)].map(([, title = '', script = '']) => [
    title,
    script,
  ]),
);

const ann = { by: 'ann', via: 'cli' };

/** Runs an example in a project, as a person would. */
async function run(title: string, root: string): Promise<string> {
  const script = examples.get(title);
  if (script === undefined) throw new Error(`docs/file-ipc.md has no example "${title}"`);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: root });
  return stdout;
}

/** A project whose question is shown. */
async function shown(kind: 'help' | 'clarification') {
  const { root, project } = await serveFiles();
  const files = filesIn(root);
  const { id } = await askOf(project, kind, 'Which?', { options: ['Red', 'Blue'] });
  const folder = kind === 'help' ? '.clifford' : '.agent-questions';
  const name = expect.stringMatching(kind === 'help' ? /^mcp-block\.json$/ : /^q\d+_1\.json$/);
  await expect.poll(() => files.names(folder), { timeout: 15_000 }).toContainEqual(name);
  return { root, project, files, id };
}

describe('the examples of docs/file-ipc.md', () => {
  it('are all run', () => {
    expect([...examples.keys()].toSorted()).toEqual(
      [
        'Answer the question that is shown',
        'Answer a question by its id',
        'Turn a question down',
        'Ask through the block file, and wait',
        'Answer the oldest question file',
        'Answer a form',
        'Ask through a question file, and wait',
      ].toSorted(),
    );
    expect(page.match(/^```bash$/gm)).toHaveLength(examples.size);
  });

  it.each([
    ['help', 'Answer the question that is shown', { response: 'Use port 8080' }],
    ['help', 'Answer a question by its id', { response: 'Use port 8080' }],
    ['help', 'Turn a question down', { response: 'Read the README first', rejected: true }],
    ['clarification', 'Answer the oldest question file', { response: 'Blue', option: 1 }],
  ] as const)('for a question of kind %s: %s', async (kind, title, answer) => {
    const { root, project, files, id } = await shown(kind);
    await run(title, root);
    expect((await closed(project, id)).answer).toMatchObject({ ...answer, via: 'file' });
    await files.vanishes('.clifford/mcp-block.json');
    await expect.poll(() => files.names('.agent-questions'), { timeout: 15_000 }).toEqual([]);
  });

  it('for a form: Answer a form', async () => {
    const { root, project } = await serveFiles();
    const options = ['Login', 'Search', 'Export'].map((label) => ({ label }));
    const questions = [
      { title: 'Database', options: [{ label: 'Postgres' }, { label: 'SQLite' }] },
      { title: 'Features', options, multiple: true as const },
    ];
    const { id } = await askOf(project, 'clarification', 'The store', { questions });
    await expect.poll(() => filesIn(root).names('.agent-questions'), { timeout: 15_000 }).toHaveLength(1);
    await run('Answer a form', root);
    const answers = [
      { question: 0, options: [1] },
      { question: 1, options: [0, 2] },
    ];
    expect((await closed(project, id)).answer).toMatchObject({ answers, via: 'file' });
  });

  it.each([
    ['Ask through the block file, and wait', { response: 'Blue' }],
    ['Ask through a question file, and wait', { id: 'colour', answer: 'Blue' }],
  ])('%s', async (title, said) => {
    const { root, project, files } = await serveFiles().then((served) => ({
      ...served,
      files: filesIn(served.root),
    }));
    const output = run(title, root);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { ...ann, response: 'Blue' });
    expect(JSON.parse(await output)).toMatchObject(said);
    await files.vanishes('.clifford/mcp-block.json');
    expect(await files.names('.agent-questions')).toEqual([]);
  });
});

describe('the tables of docs/file-ipc.md', () => {
  it.each([
    ['## One question at a time', blockFileSchema],
    ['### The answer: `.clifford', responseFileSchema],
    ['### The question: ', questionFileSchema],
    ['### The answer: `{id}', answerFileSchema],
  ])('under %s have every field', (heading, schema) => {
    const section = page.slice(page.indexOf(heading)).split(/\n(?=#)/, 1)[0] ?? '';
    const fields = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, field]) => field);
    expect(fields.map(String).toSorted()).toEqual([...Object.keys(schema.shape), 'timestamp'].toSorted());
  });
});
