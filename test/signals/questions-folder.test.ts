import { mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';
import { untilAsked, untilOpen } from '../mcp/support/project-log.ts';
import { gitIn, makeRepository } from '../helpers/temp-repository.ts';
import { askOf, closed, filesIn, questionFiles, serveFiles } from './support/serve-files.ts';
import { startSignalProcess } from './support/signal-process.ts';

const folder = '.agent-questions';
const ann = { by: 'ann', via: 'cli' };

describe('the folder of questions', () => {
  it('is there before the first question, and goes with the last server', async () => {
    const { root, start, stop } = await serveFiles();
    const files = filesIn(root);
    await expect.poll(() => files.has(folder), { timeout: 15_000 }).toBe(true);
    expect((await stat(files.at(folder))).mode & 0o777).toBe(0o700);
    await stop();
    expect(files.has(folder)).toBe(false);
    start();
    await expect.poll(() => files.has(folder), { timeout: 15_000 }).toBe(true);
  });

  it('is nothing to git, so that no question is committed with a task', async () => {
    const { root, project, stop } = await serveFiles();
    makeRepository(root);
    const git = gitIn(root);
    const status = () => git('status', '--porcelain', '--untracked-files=all', '--', folder);
    await askOf(project, 'clarification', 'Which port?');
    await questionFiles(root, 1);
    expect(status()).toBe('');
    await filesIn(root).write(`${folder}/.gitignore`, '# mine\n');
    await stop();
    expect(status()).toBe(`?? ${folder}/.gitignore`);
  });

  it('goes with the last server, too, when one made it that was killed', async () => {
    const root = await tempRoot();
    const files = filesIn(root);
    await files.write('clifford.json', { clarification: { questionsDir: 'for/humans' } });
    const first = startSignalProcess(root);
    // That it makes it stands written before it does.
    await expect.poll(() => files.has('for/humans'), { timeout: 15_000 }).toBe(true);
    expect(files.has('.clifford/cache/made-folders.json')).toBe(true);
    await first.kill();
    const project = await openTestProject(root);
    const next = startSignalProcess(root);
    await askOf(project, 'clarification', 'Which port?');
    await questionFiles(root, 1, 'for/humans');
    await next.leave();
    expect(files.has('for')).toBe(false);
    expect(await files.names('.clifford/cache')).not.toContain('made-folders.json');
  });

  it('alone goes, whatever the note of what was made names: nothing outside of the project, nor behind a link', async () => {
    const root = await tempRoot();
    const foreign = await tempRoot();
    const [files, others] = [filesIn(root), filesIn(foreign)];
    await mkdir(others.at('empty'));
    await others.write('ignored/.gitignore', '*\n');
    await symlink(others.at('ignored'), files.at('link'));
    const { stop } = await serveFiles(root);
    const note = '.clifford/cache/made-folders.json';
    await expect.poll(() => files.has(note), { timeout: 15_000 }).toBe(true);
    const made = [files.at(folder), others.at('empty'), others.at('ignored'), files.at('link')];
    await files.write(note, [...made, `${root}/../${basename(foreign)}/empty`]);
    await stop();
    expect(files.has(folder)).toBe(false);
    expect(others.has('empty')).toBe(true);
    expect(others.has('ignored/.gitignore')).toBe(true);
    expect(files.has('link')).toBe(true);
  });

  it('stays when somebody else made it, or put something into it', async () => {
    const one = await serveFiles();
    await expect.poll(() => filesIn(one.root).has(folder), { timeout: 15_000 }).toBe(true);
    await filesIn(one.root).write(`${folder}/README.md`, 'Questions');
    await one.stop();
    expect(await filesIn(one.root).names(folder)).toEqual(['README.md']);

    const root = await tempRoot();
    const files = filesIn(root);
    await mkdir(files.at(folder));
    const { project, stop } = await serveFiles(root);
    await askOf(project, 'clarification', 'Which port?');
    await questionFiles(root, 1);
    await stop();
    expect(await files.names(folder)).toEqual([]);
    expect(files.has(folder)).toBe(true);
  });

  it('is not made while clarifications are switched off, and goes when they are', async () => {
    const root = await tempRoot();
    const files = filesIn(root);
    await files.write('clifford.json', { clarification: { enabled: false } });
    const { project } = await serveFiles(root);
    await askOf(project, 'help', 'Which port?');
    await files.appears('.clifford/mcp-block.json');
    expect(files.has(folder)).toBe(false);
    await files.write('clifford.json', {});
    await expect.poll(() => files.has(folder), { timeout: 15_000 }).toBe(true);
    await files.write('clifford.json', { clarification: { enabled: false } });
    await files.vanishes(folder);
  });

  it('may have a long name in any script', async () => {
    const root = await tempRoot();
    const files = filesIn(root);
    const questionsDir = `${'вопросы'.repeat(8)}/${'質問'.repeat(20)}`;
    await files.write('clifford.json', { clarification: { questionsDir } });
    const { project } = await serveFiles(root);
    const { id } = await askOf(project, 'clarification', 'Which port?');
    const [name = ''] = await questionFiles(root, 1, questionsDir);
    await files.write(`${questionsDir}/${name.replace('.json', '_answer.json')}`, { answer: '8080' });
    expect((await closed(project, id)).answer).toMatchObject({ response: '8080', via: 'file' });
    await questionFiles(root, 0, questionsDir);
  });

  it('changes with the configuration: our files move over, and go when clarifications are switched off', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const { id } = await askOf(project, 'clarification', 'Which port?');
    await questionFiles(root, 1);
    await files.write(`${folder}/theirs.json`, { question: 'Theirs?' });
    const [, theirs] = await untilOpen(project, 2);
    await files.write('clifford.json', { clarification: { questionsDir: 'questions' } });
    const [name = ''] = await questionFiles(root, 1, 'questions');
    expect(files.read(`questions/${name}`)).toMatchObject({ requestId: id });
    expect(await files.names(folder)).toEqual(['theirs.json']);
    await answerRequest(project, theirs?.id ?? '', { ...ann, response: 'still' });
    expect(await files.appears(`${folder}/theirs_answer.json`)).toMatchObject({ answer: 'still' });

    await files.write('clifford.json', { clarification: { questionsDir: 'questions', enabled: false } });
    await questionFiles(root, 0, 'questions');
    expect((await untilAsked(project)).id).toBe(id);
    await files.write('questions/ignored.json', { question: 'Ignored?' });
    await files.write('clifford.json', { clarification: { questionsDir: 'questions' } });
    const open = await untilOpen(project, 2);
    expect(open.map(({ asked }) => asked.question)).toEqual(['Which port?', 'Ignored?']);
  });

  it("is inside of the project, and neither git's nor Clifford's, nor a link to such a folder", async () => {
    const { root, project, reported } = await serveFiles();
    const files = filesIn(root);
    const elsewhere = await tempRoot();
    await files.write('package.json', { name: 'x' });
    await files.write('sprints/demo/manifest.json', { id: 'demo', tasks: [] });
    await symlink('.', files.at('link'));
    await symlink(elsewhere, files.at('out'));
    const refused = ['.', '.clifford', '..', 'link', `${elsewhere}/new`, '../new', 'out/new', 'sprints/demo'];
    for (const questionsDir of [
      ...refused,
      '.clifford/locks',
      'link/.clifford/new',
      '.git/hooks',
      'a/.git/b',
    ]) {
      await files.write('clifford.json', { clarification: { questionsDir } });
      await expect
        .poll(() => reported.at(-1), { timeout: 15_000 })
        .toContain(
          `in ${resolve(root, questionsDir)}: clarification.questionsDir has to be a folder of its own`,
        );
      await askOf(project, 'clarification', `In ${questionsDir}?`);
    }
    expect(files.has('package.json')).toBe(true);
    expect(await files.names('.clifford/rejected')).toEqual([]);
    expect(await readdir(elsewhere)).toEqual(['.clifford']);
    for (const made of ['../new', '.clifford/new', '.git', 'a']) expect(files.has(made)).toBe(false);
    expect(await files.names('sprints/demo')).toEqual(['manifest.json']);
  });
});
