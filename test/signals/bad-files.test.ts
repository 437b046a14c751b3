import { execFileSync } from 'node:child_process';
import { appendFile, lstat, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveSignals } from '../../src/signals/serve-signals.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../mcp/support/project-log.ts';
import { aRoundPasses, askOf, closed, filesIn, serveFiles } from './support/serve-files.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';

/** A served project with an open question in its block file. */
async function waiting() {
  const served = await serveFiles();
  const files = filesIn(served.root);
  const { id } = await askOf(served.project, 'help', 'Which port?');
  await files.appears(block);
  return { ...served, files, id };
}

describe('a response', () => {
  it('written in two halves, and looked at between them, is taken as a whole', async () => {
    const { files, project, id, root } = await waiting();
    await writeFile(files.at(response), '{"resp');
    await aRoundPasses(project, root);
    await appendFile(files.at(response), 'onse":"ok"}');
    expect((await closed(project, id)).answer?.response).toBe('ok');
    expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
  });

  it('cut within a character is read again', async () => {
    const { files, project, id, root } = await waiting();
    const bytes = Buffer.from('{"response":"grün"}');
    await writeFile(files.at(response), bytes.subarray(0, 16));
    await aRoundPasses(project, root);
    await appendFile(files.at(response), bytes.subarray(16));
    expect((await closed(project, id)).answer?.response).toBe('grün');
  });

  const bad: [string, string, string][] = [
    ['JSON that is never finished', '{"response":', 'it is not valid JSON'],
    ['nothing', '', 'it is empty'],
    ['bytes that are no text', '\uFFFD', 'it is not UTF-8 text'],
    ['a list', '[1]', 'it contains a list, not an object'],
    ['no response', '{"answer":"x"}', '"response" is missing'],
    ['blanks', '{"response":" "}', '"response" is empty'],
    ['a number', '{"response":2}', '"response" is a number, not a text'],
    [
      'too long a text',
      JSON.stringify({ response: 'x'.repeat(65_537) }),
      '"response" has more than 65,536 characters',
    ],
    ['an unknown request', '{"response":"x","requestId":"q-nobody"}', 'no request has the id q-nobody'],
    [
      'an id longer than a file name',
      JSON.stringify({ response: 'x', requestId: 'q'.repeat(500) }),
      `no request has the id ${'q'.repeat(500)}`,
    ],
  ];

  it.each(bad)('with %s is moved aside, with the reason, and recorded once', async (_title, text, reason) => {
    const { files, project, id } = await waiting();
    const bytes = text === '\uFFFD' ? Buffer.from([0xff, 0xfe, 0x00]) : Buffer.from(text);
    await writeFile(files.at(response), bytes);
    expect(await files.rejected()).toEqual([`${response}: ${reason}\n`]);
    const [rejected] = await untilLogged(project, 'signal.rejected');
    expect(rejected?.data).toEqual({ file: response, reason });
    expect(files.has(response)).toBe(false);
    const [kept = '', beside] = await files.names('.clifford/rejected');
    expect(kept).toMatch(/^mcp-response-[0-9a-f]{8}\.json$/);
    expect(beside).toBe(`${kept}.reason.txt`);
    expect(await readFile(files.at(`.clifford/rejected/${kept}`))).toEqual(bytes);

    await files.write(response, { response: 'better' });
    expect((await closed(project, id)).answer?.response).toBe('better');
    expect(await eventsOf(project, 'signal.rejected')).toHaveLength(1);
  });

  it('of 1 MiB is read, and of one byte more moved aside', async () => {
    const { files, project, id } = await waiting();
    // Blanks first: a half of it says nothing yet.
    const said = '{"response":"ok"}';
    await writeFile(files.at(response), said.padStart(1_048_577));
    expect(await files.rejected()).toEqual([expect.stringContaining('it is too large: 1,048,577 bytes')]);
    await writeFile(files.at(response), said.padStart(1_048_576));
    expect((await closed(project, id)).answer?.response).toBe('ok');
  });

  it('of 10 MB is moved aside unread', async () => {
    const { files, project, id } = await waiting();
    await writeFile(files.at('.clifford/large'), '{"response":"');
    await truncate(files.at('.clifford/large'), 10 * 1_048_576);
    execFileSync('mv', [files.at('.clifford/large'), files.at(response)]);
    expect(await files.rejected()).toEqual([expect.stringContaining('it is too large: 10,485,760 bytes')]);
    expect((await untilAsked(project)).id).toBe(id);
  });

  it('that is a link is moved as a link, and never followed', async () => {
    const { files, project } = await waiting();
    const outside = join(await tempRoot(), 'secret.json');
    await writeFile(outside, '{"response":"stolen"}');
    await symlink(outside, files.at(response));
    expect(await files.rejected()).toEqual([`${response}: it is a symbolic link\n`]);
    const [kept = ''] = await files.names('.clifford/rejected');
    expect((await lstat(files.at(`.clifford/rejected/${kept}`))).isSymbolicLink()).toBe(true);
    expect(await readFile(outside, 'utf8')).toBe('{"response":"stolen"}');
    expect(await eventsOf(project, 'help.answered')).toEqual([]);
  });

  it.each([
    ['a folder', (path: string) => mkdir(path)],
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('that is %s is moved aside', async (what, make) => {
    const { files, project, id } = await waiting();
    await make(files.at(response));
    expect(await files.rejected()).toEqual([`${response}: it is ${what}\n`]);
    await files.write(response, { response: 'ok' });
    expect((await closed(project, id)).answer?.response).toBe('ok');
  });
});

describe('in the folder of questions', () => {
  it('what is no question is moved aside, and what is not JSON is left alone', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const folder = '.agent-questions';
    await files.write(`${folder}/README.md`, 'Questions');
    await files.write(`${folder}/.hidden.json`, 'x');
    await files.write(`${folder}/blank.json`, { question: ' ' });
    await files.write(`${folder}/other.json`, { id: 'another', question: 'Who am I?' });
    await files.write(`${folder}/nobody_answer.json`, { answer: 'x' });
    const reasons = await files.rejected(3);
    expect(reasons.toSorted()).toEqual(
      [
        `${folder}/blank.json: "question" is empty\n`,
        `${folder}/nobody_answer.json: there is no question ${folder}/nobody.json\n`,
        `${folder}/other.json: "id" is another, but the file is named other.json\n`,
      ].toSorted(),
    );
    expect(await files.names(folder)).toEqual(['.hidden.json', 'README.md']);
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });

  it('an answer to another id than it is named by is moved aside, and the question stays', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const { id } = await askOf(project, 'clarification', 'Which?');
    await expect.poll(() => files.names('.agent-questions'), { timeout: 15_000 }).toHaveLength(1);
    const [name = ''] = await files.names('.agent-questions');
    await files.write(`.agent-questions/${name.replace('.json', '_answer.json')}`, {
      id: 'q1_1',
      answer: 'x',
    });
    expect(await files.rejected()).toEqual([
      expect.stringContaining('"id" is q1_1, but the file is named q'),
    ]);
    expect((await untilAsked(project)).id).toBe(id);
  });

  it('a bad block is told of when the log does not take that it was moved aside', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const files = filesIn(root);
    await files.write(block, { type: 'blocked', question: 'Which?' });
    const reported: string[] = [];
    const full = new Proxy(project, {
      get: (target, key) =>
        key === 'record' ? () => Promise.reject(new Error('the log is full')) : Reflect.get(target, key),
    });
    const serving = serveSignals({
      root,
      env: {},
      project: async () => full,
      report: (problem) => reported.push(String(problem)),
    });
    onTestFinished(() => serving.stop());
    await expect
      .poll(() => reported, { timeout: 15_000 })
      .toEqual([expect.stringContaining('the log is full')]);
  });

  it('a bad block of another program makes room for ours', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(block, { type: 'blocked', question: 'Which?' });
    expect(await files.rejected()).toEqual([`${block}: "type" has to be "block"\n`]);
    const { id } = await askOf(project, 'help', 'Ours?');
    await expect.poll(() => files.has(block) && files.read(block)['requestId'], { timeout: 15_000 }).toBe(id);
  });
});
