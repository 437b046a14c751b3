import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { tryHold } from '../../../src/lib/files/kernel-lock.ts';
import { createRedactor } from '../../../src/events/secrets/redaction.ts';
import { commitTask } from '../../../src/workflow/commit/commit-task.ts';
import { subjectOfTask } from '../../../src/workflow/commit/commit-message.ts';
import type { CommitOrder } from '../../../src/workflow/commit/commit-task.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { contentDigest } from '../../../src/lib/files/file-digest.ts';
import { takeSnapshot } from '../../../src/workflow/commit/snapshot.ts';
import type { CurrentEdits } from '../../../src/workflow/commit/snapshot.ts';
import { allGone } from '../../../src/lib/processes/terminate.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { untilFile } from '../../helpers/until-file.ts';

beforeEach(withoutGitConfig);

const secret = 'correct-horse-battery';
const redact = createRedactor({ DB_PASSWORD: secret });
const asLogged = (text: string) => String(redact('help.requested', text));

/** Makes a project with a sprint, in a repository with one commit. Below `inside`, not at its top. */
async function makeProject(top: string, inside: string): Promise<void> {
  const root = join(top, inside);
  mkdirSync(join(root, '.clifford'), { recursive: true });
  await writeSprint(root, { tasks: ['a'] });
  await writeSprint(root, { id: 'other', tasks: ['a'] });
  const git = makeRepository(top);
  git.write({ 'top.txt': 'top\n' });
  gitIn(root).write({ 'old.txt': 'one\ntwo\n', '.gitignore': 'ignored\n' });
  git.commitAll();
}

const template = await mkdtemp(join(tmpdir(), 'clifford-template-'));
beforeAll(() => makeProject(template, ''));
afterAll(() => rm(template, { recursive: true, force: true }));

async function project({ isEmpty = false, inside = '' } = {}) {
  const top = await tempRoot();
  const root = join(top, inside);
  if (inside === '') cpSync(template, top, { recursive: true });
  else await makeProject(top, inside);
  const git = gitIn(top);
  if (isEmpty) {
    rmSync(join(top, '.git'), { recursive: true });
    rmSync(join(top, 'sprints/other'), { recursive: true });
    for (const name of ['top.txt', 'old.txt', '.gitignore']) rmSync(join(top, name));
    makeRepository(top);
  }
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  const { signal } = new AbortController();
  const currentEdits: CurrentEdits = () => new Map();
  const snapshot = (more: { currentEdits?: CurrentEdits; isWhole?: boolean } = {}) =>
    takeSnapshot(new Git({ cwd: root, env: {}, signal }), { signal, root, task: 'a', currentEdits, ...more });
  const place = { root, dir: join(root, '.clifford'), asLogged };
  const order = { stream: 'demo', taskId: 'a', attempt: 1, folder, file: 'a.md', env: {}, currentEdits };
  const commit = (before: CommitOrder['before'], more: Partial<CommitOrder & typeof place> = {}) =>
    commitTask({ ...place, ...more }, { ...order, before, signal, ...more });
  const hook = (name: string, script: string) => {
    const file = join(top, '.git/hooks', name);
    git.write({ [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
    chmodSync(file, 0o755);
  };
  return { root, git: gitIn(root), top: git, snapshot, commit, hook };
}

const uncommitted = (reason: string | RegExp) => ({
  is: 'uncommitted',
  reason: typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason),
});

describe('git, as it is run for a commit', () => {
  it('starts nothing that the configuration of the repository names, but for hooks of commits', async () => {
    const { git, root, snapshot, commit, hook } = await project();
    const trace = join(root, '.clifford/ran');
    const ran = () => (existsSync(trace) ? readFileSync(trace, 'utf8') : '');
    const program = (name: string) => {
      const file = join(root, '.git', name);
      writeFileSync(file, `#!/bin/sh\necho ${name} >> '${trace}'\nexit 1\n`, { mode: 0o755 });
      return file;
    };
    git('config', 'core.fsmonitor', program('fsmonitor'));
    git('config', 'core.pager', program('pager'));
    git('config', 'core.editor', program('editor'));
    git('config', 'diff.external', program('external'));
    git('config', 'diff.odd.textconv', program('textconv'));
    git('config', 'log.showSignature', 'true');
    git('config', 'gpg.program', program('gpg'));
    git('config', 'remote.origin.url', root);
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.uploadpack', program('upload-pack'));
    git('config', 'extensions.partialClone', 'origin');
    hook('post-index-change', `echo index-hook >> '${trace}'`);
    git.write({ '.gitattributes': '*.txt diff=odd\n' });
    const before = await snapshot();
    git.write({ 'new.txt': 'new\n' });
    expect(ran()).toBe('');
    rmSync(join(root, '.git/hooks/post-index-change'));
    hook('pre-commit', `echo pre-commit >> '${trace}'`);
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
    const looked = await new Git({ cwd: root, env: {}, signal: new AbortController().signal }).run([
      'cat-file',
      'blob',
      '1234567890123456789012345678901234567890',
    ]);
    expect(looked.code).not.toBe(0);
    expect(ran()).toBe('pre-commit\n');
  });
});

describe('the commit of a task', () => {
  it('holds links, programs, a folder in the place of a file, and names of any kind', async () => {
    const { git, root, snapshot, commit } = await project();
    const before = await snapshot();
    rmSync(join(root, 'old.txt'));
    git.write({
      'old.txt/inside.txt': 'x',
      'run.sh': '#!/bin/sh\n',
      ':(top)* "ü"\n.txt': 'odd',
      '-n': 'odd',
    });
    chmodSync(join(root, 'run.sh'), 0o755);
    symlinkSync('run.sh', join(root, 'link'));
    expect(await commit(before)).toMatchObject({
      is: 'committed',
      files: ['-n', ':(top)* "ü"\n.txt', 'link', 'old.txt', 'old.txt/inside.txt', 'run.sh'],
    });
    expect(git('ls-tree', '-r', 'HEAD', '--', 'run.sh', 'link')).toMatch(
      /^120000 .*\tlink\n100755 .*\trun\.sh$/,
    );
    expect(git.status()).toEqual([]);
  });

  it('holds a folder that has become a link to another one', async () => {
    const { git, root, snapshot, commit } = await project();
    git.write({ 'dir/inside.txt': 'x' });
    git.commitAll();
    const before = await snapshot();
    rmSync(join(root, 'dir'), { recursive: true });
    git.write({ 'real/inside.txt': 'x' });
    symlinkSync('real', join(root, 'dir'));
    expect(await commit(before)).toMatchObject({ files: ['dir', 'dir/inside.txt', 'real/inside.txt'] });
    expect(git.status()).toEqual([]);
  });

  it('never holds what Clifford remembers, nor ignored files', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ '.clifford/events.jsonl': '{}\n', ignored: 'x', 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
  });

  it('is the first one of a repository', async () => {
    const { git, snapshot, commit } = await project({ isEmpty: true });
    git.write({ 'mine.txt': 'mine', 'staged.txt': 'staged' });
    git('add', 'staged.txt');
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
    expect(git.status()).toEqual([
      'A  staged.txt',
      '?? mine.txt',
      '?? sprints/demo/a.md',
      '?? sprints/demo/manifest.json',
    ]);
  });

  it('is about the project, where that is a folder of a larger repository', async () => {
    const { git, top, snapshot, commit } = await project({ inside: 'packages/shop' });
    const before = await snapshot();
    git.write({ 'new.txt': 'x', 'old.txt': 'changed' });
    top.write({ 'packages/other/new.txt': 'of somebody else' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt', 'old.txt'] });
    expect(git.status()).toEqual([]);
    expect(top.status()).toContain('?? packages/other/new.txt');
  });

  it('is about the whole repository in a worktree of its own, and a second one has what was changed since', async () => {
    const { git, top, snapshot, commit } = await project({ inside: 'packages/shop' });
    top.write({ 'setup.txt': 'made by the setup' });
    const before = await snapshot({ isWhole: true });
    git.write({ 'old.txt': 'changed' });
    top.write({ 'packages/other/new.txt': 'of the task, too', 'top.txt': 'changed' });
    const own = { putRight: undefined };
    const files = ['../../top.txt', '../other/new.txt', 'old.txt'];
    const first = await commit(before, { own });
    expect(first).toMatchObject({ is: 'committed', files: expect.arrayContaining(files) });
    const left = () => top.status().filter((line) => !line.includes('.clifford/'));
    expect(left()).toEqual(['?? setup.txt']);
    expect(await commit(before, { own })).toEqual(first);
    top.write({ 'top.txt': 'by hand', 'setup.txt': 'by hand' });
    expect(await commit(before, { own: { putRight: { by: 'ada' } } })).toMatchObject({
      is: 'committed',
      files: ['../../setup.txt', '../../top.txt'],
    });
    expect(top('log', '-1', '--format=%B')).toMatch(/^Put right by hand: .*\nClifford-Put-Right-By: ada/s);
    expect(left()).toEqual([]);
  });

  it('is made once: after a crash the one that is there is found, and the index knows of it', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'new.txt': 'x', 'old.txt': 'changed' });
    const first = await commit(before);
    // As if the crash had come before the index.
    git('read-tree', 'HEAD~1');
    git.write({ 'staged.txt': 'by the user', 'old.txt': 'by the user' });
    git('add', 'staged.txt', 'old.txt');
    expect(await commit(before)).toEqual(first);
    expect(git('rev-list', '--count', 'HEAD')).toBe('2');
    expect(git.status()).toEqual(['M  old.txt', 'A  staged.txt']);
  });

  it('gives the index its files also when the agent had staged something else of them', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'new.txt': 'first' });
    git('add', 'new.txt');
    git.write({ 'new.txt': 'second' });
    expect(await commit(before)).toMatchObject({ is: 'committed' });
    expect(git('show', 'HEAD:new.txt')).toBe('second');
    expect(git.status()).toEqual([]);
  });

  it('goes with the last commit of the agent, and holds what that left', async () => {
    const { git, snapshot, commit } = await project();
    git.write({ 'mine.txt': 'mine' });
    const before = await snapshot();
    git.write({ 'by-agent.txt': 'x', 'left.txt': 'x' });
    git('add', 'by-agent.txt');
    git('commit', '--quiet', '-m', 'by the agent');
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['left.txt'] });
    expect(await commit(before, { attempt: 2 })).toEqual(
      uncommitted('what the task changed is committed already'),
    );
  });

  it('leaves a manifest out that somebody is editing, and one that git does not know', async () => {
    const { git, snapshot, commit, root } = await project();
    const file = join(root, 'sprints/demo/manifest.json');
    const manifest: object = JSON.parse(readFileSync(file, 'utf8'));
    const before = await snapshot();
    git.write({ 'new.txt': 'x', 'sprints/demo/manifest.json': JSON.stringify({ ...manifest, name: 'New' }) });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
    expect(git.status()).toEqual([' M sprints/demo/manifest.json']);
  });
});

it('the commit of a task waits for another command of git that has the index', async () => {
  const { git, snapshot, commit, hook } = await project();
  hook('post-commit', 'touch .git/index.lock');
  const before = await snapshot();
  git.write({ 'new.txt': 'x' });
  const lock = join(git('rev-parse', '--absolute-git-dir'), 'index.lock');
  const [result] = await Promise.all([commit(before), untilFile(lock).then(() => rmSync(lock))]);
  expect(result).toEqual({
    is: 'committed',
    sha: git('rev-parse', 'HEAD'),
    files: ['new.txt'],
    title: 'Task a',
  });
  expect(git.status()).toEqual([]);
});

it('the commit of a task is made in its repository, wherever variables lead', async () => {
  const { git, snapshot, commit } = await project();
  const before = await snapshot();
  git.write({ 'new.txt': 'x' });
  for (const name of ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE']) vi.stubEnv(name, '/nowhere');
  const result = await commit(before);
  vi.unstubAllEnvs();
  expect(result).toMatchObject({ is: 'committed', files: ['new.txt'] });
});

it('the commit of a task holds the report that Clifford wrote about it, whatever was there before', async () => {
  const { git, snapshot, commit } = await project();
  git.write({ 'sprints/demo/uat.md': 'about an earlier task' });
  const before = await snapshot();
  git.write({ 'sprints/demo/uat.md': 'about both' });
  expect(await commit(before)).toMatchObject({ is: 'committed', files: ['sprints/demo/uat.md'] });
});

it.each([
  ['# Log in, with a form ##\n\nText', 'Log in, with a form'],
  ['---\n# no heading\n---\n```sh\n# nor this\n```\n## #12: `fix` it\n', '#12: `fix` it'],
  ['no heading', 'Task a'],
  [`# ${'x'.repeat(100)}`, `${'x'.repeat(71)}…`],
  [`# Use ${secret}`, 'Use [redacted:DB_PASSWORD]'],
])('the commit of a task is called as its file: %j', async (text, subject) => {
  const root = await tempRoot();
  const dir = await writeSprint(root, { tasks: ['a'] });
  gitIn(dir).write({ 'a.md': text });
  expect(await subjectOfTask({ root, asLogged }, { dir, file: 'a.md', taskId: 'a' })).toBe(subject);
});

describe('hooks', () => {
  it('run, find what is committed in the index, and may add to it', async () => {
    const { git, snapshot, commit, hook } = await project();
    hook(
      'pre-commit',
      'git diff --cached --name-only >seen && echo formatted >new.txt && git add new.txt seen',
    );
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt', 'seen'] });
    expect(git('show', 'HEAD:new.txt')).toBe('formatted');
    expect(git('show', 'HEAD:seen')).toBe('new.txt');
    expect(git.status()).toEqual([]);
  });

  it('may refuse: the last lines are told, and everything is as it was', async () => {
    const { git, snapshot, commit, hook } = await project();
    hook('pre-commit', 'echo first; echo "src is not formatted" >&2; exit 1');
    const before = await snapshot();
    git.write({ 'new.txt': 'x', 'old.txt': 'staged' });
    git('add', 'old.txt');
    const status = git.status();
    expect(await commit(before)).toEqual(
      uncommitted(/^git commit ended with exit code 1: [^]*src is not formatted/),
    );
    expect(git.status()).toEqual(status);
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('find nobody to ask, and may fail afterwards', async () => {
    const { git, snapshot, commit, hook } = await project();
    hook('post-commit', 'read answer && exit 3; echo "$GIT_TERMINAL_PROMPT $GIT_EDITOR" >asked; exit 1');
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
    expect(git('show', 'HEAD:new.txt')).toBe('x');
    expect(readFileSync(join(git('rev-parse', '--show-toplevel'), 'asked'), 'utf8')).toBe('0 :\n');
  });

  it.each([
    ['its own folder', '.clifford/before', /^removing .*commit failed: ELOOP/],
    ['the note of its turn', '.clifford/locks/commit.began', /^removing .*commit\.began failed: ELOOP/],
  ])(
    'leave a commit that was made where %s cannot be removed behind it, and that is said',
    async (_, path, problem) => {
      const { git, snapshot, commit, hook } = await project();
      hook('post-commit', `rm -rf ${path}; ln -s "$PWD/${path}" ${path}`);
      const before = await snapshot();
      git.write({ 'new.txt': 'x' });
      expect(await commit(before)).toEqual({
        is: 'committed',
        sha: git('rev-parse', 'HEAD'),
        files: ['new.txt'],
        title: 'Task a',
        problem: expect.stringMatching(problem),
      });
    },
  );

  it('that are ended end with the reason for that, whatever cannot be removed behind them', async () => {
    const { git, snapshot, commit, hook, root } = await project();
    hook(
      'pre-commit',
      'rm -rf .clifford/before; ln -s "$PWD/.clifford/before" .clifford/before; : >begun; exec sleep 600',
    );
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    const stop = new AbortController();
    const ended = commit(before, { signal: stop.signal });
    const reason = new Error('enough');
    await untilFile(join(root, 'begun'));
    stop.abort(reason);
    await expect(ended).rejects.toBe(reason);
  });

  it('that take their time are ended when nobody wants the commit any more', async () => {
    const { git, snapshot, commit, hook, root } = await project();
    hook('pre-commit', 'echo $$ >pid.tmp; mv pid.tmp pid; exec sleep 600');
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    const stop = new AbortController();
    const ended = commit(before, { signal: stop.signal });
    const pid = Number(await untilFile(join(root, 'pid')));
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(await allGone([pid], 5_000)).toBe(true);
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
    expect(existsSync(join(root, '.clifford/before/demo/commit'))).toBe(false);
  });
});

describe('a secret keeps the commit from being made:', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEvQIB'.repeat(8)}\n-----END RSA PRIVATE KEY-----\n`;
  it.each([
    [
      'tokens, values of the environment and private keys in new files and new lines',
      {
        'src/a.ts': `one\nconst key = '${token}';\n`,
        'old.txt': `one\ntwo\n${token}\n`,
        'b.bin': `\0\0${secret}\0`,
        x: `a\n${key}`,
      },
      'it seems to contain a secret: b.bin:1, old.txt:3, src/a.ts:2, x:2. ',
    ],
    [
      'files of names that hold secrets, or are one',
      { 'config/.env': 'A=1', '.env.production': 'A=1', 'keys/id_ed25519': 'x', 'a.pem': '', [token]: 'x' },
      'secret: .env.production, a.pem, config/.env, [redacted], keys/id_ed25519 by its name. ',
    ],
  ])('%s', async (_, files, reason) => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ ...files, 'good.txt': 'good' });
    const result = await commit(before);
    expect(result).toEqual(uncommitted(reason));
    expect(JSON.stringify(result)).not.toMatch(`${token}|${secret}`);
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('but not one that was there already, an example, or a file that goes', async () => {
    const { git, snapshot, commit, root } = await project();
    git.write({ 'known.txt': `${token}\n`, '.env': 'A=1' });
    git.commitAll();
    const before = await snapshot();
    git.write({ 'known.txt': `${token}\nmore\n`, '.env.example': 'A=' });
    rmSync(join(root, '.env'));
    expect(await commit(before)).toMatchObject({ files: ['.env', '.env.example', 'known.txt'] });
  });
});

describe('a file that is edited for the run of an agent', () => {
  const path = '.cursor/mcp.json';
  const lent = (original?: string) => (): ReadonlyMap<string, string | undefined> =>
    new Map([[path, original === undefined ? undefined : contentDigest(Buffer.from(original), 0o644)]]);

  it('is never committed, whether git knows it or not', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ [path]: 'with an entry', 'new.txt': 'x' });
    expect(await commit(before, { currentEdits: lent() })).toMatchObject({ files: ['new.txt'] });
    git.write({ [path]: 'mine' });
    git('add', path);
    git('commit', '--quiet', '-m', 'mine');
    const again = await snapshot();
    git.write({ [path]: 'with an entry', 'more.txt': 'x' });
    expect(await commit(again, { attempt: 2, currentEdits: lent('mine') })).toMatchObject({
      files: ['more.txt'],
    });
    expect(git('show', `HEAD:${path}`)).toBe('mine');
  });

  it('counts as it was: its owner’s change is theirs before and after', async () => {
    const { git, snapshot, commit } = await project();
    git.write({ [path]: 'with an entry' });
    const before = await snapshot({ currentEdits: lent('mine') });
    git.write({ [path]: 'mine', 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ files: ['new.txt'] });
    expect(git.status()).toEqual([`?? ${path}`]);
  });

  it('only after the files were looked at keeps the commit from being made', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ [path]: 'by the task' });
    let looks = 0;
    const currentEdits = () => ((looks += 1) > 1 ? lent('by the task')() : new Map());
    expect(await commit(before, { currentEdits })).toEqual(
      uncommitted(`${path} changed for the run of an agent while the commit was made`),
    );
  });
});

describe('sprints that run at the same time', () => {
  const manifest = 'sprints/other/manifest.json';

  it('leave each other’s records out of their commits, known to git or not', async () => {
    const { git, root, snapshot, commit } = await project();
    const text = readFileSync(join(root, manifest), 'utf8');
    const before = await snapshot();
    const running = text.replace('pending', 'in-progress');
    git.write({ [manifest]: running, 'sprints/other/uat.md': 'a report', 'new.txt': 'x' });
    expect(await commit(before)).toMatchObject({ is: 'committed', files: ['new.txt'] });
    git.write({ 'sprints/third/manifest.json': text.replace('other', 'third') });
    const again = await snapshot();
    git.write({
      [manifest]: text.replaceAll('pending', 'completed'),
      'sprints/third/manifest.json': running.replace('other', 'third'),
      'more.txt': 'x',
    });
    expect(await commit(again, { attempt: 2 })).toMatchObject({ is: 'committed', files: ['more.txt'] });
  });

  it('are no sprints that the task itself made or changed', async () => {
    const { git, root, snapshot, commit } = await project();
    const text = readFileSync(join(root, manifest), 'utf8');
    const before = await snapshot();
    const made = 'sprints/third/manifest.json';
    git.write({
      [manifest]: text.replace('Sprint other', 'Renamed'),
      [made]: text.replace('other', 'third'),
    });
    expect(await commit(before)).toMatchObject({ files: [manifest, made] });
  });

  it('make one commit after the other', async () => {
    const { git, root, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    const turn = tryHold(join(root, '.clifford/locks/commit.lock'));
    await expect(commit(before, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
    const both = Promise.all(['demo', 'other'].map((stream) => commit(before, { stream })));
    turn?.release();
    const results = await both;
    expect(results).toEqual(
      expect.arrayContaining([
        { is: 'committed', sha: git('rev-parse', 'HEAD'), files: ['new.txt'], title: 'Task a' },
        uncommitted('what the task changed is committed already'),
      ]),
    );
  });
});

describe('there is no commit', () => {
  // Some file systems do not take such a name.
  it.runIf(process.platform === 'linux')('of a file whose name nobody can tell', async () => {
    const { git, root, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/latin-`), Buffer.from([0xe9])]), 'x');
    expect(await commit(before)).toEqual(uncommitted('the name of latin-\uFFFD is not UTF-8'));
  });

  it('of a file that had changes before and was changed again', async () => {
    const { git, snapshot, commit } = await project();
    git.write({ 'old.txt': 'mine\n', 'new.txt': 'mine' });
    const before = await snapshot();
    git.write({ 'old.txt': 'mine\nand the task’s\n', 'other.txt': 'x' });
    expect(await commit(before)).toEqual(uncommitted('old.txt had changes already before the task began'));
    expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('of nothing', async () => {
    const { git, snapshot, commit } = await project();
    git.write({ 'mine.txt': 'mine' });
    expect(await commit(await snapshot())).toEqual(uncommitted('the task changed no file'));
    expect(await commit(undefined)).toEqual(uncommitted('it is not known how the files were'));
  });

  it('without a repository', async () => {
    const { top, snapshot, commit } = await project();
    rmSync(join(top('rev-parse', '--show-toplevel'), '.git'), { recursive: true });
    const reason = uncommitted('the project is in no git repository. Make one with: git init');
    expect(await commit(await snapshot())).toEqual(reason);
  });

  it('of somebody git does not know', async () => {
    const { git, snapshot, commit } = await project();
    git('config', '--unset', 'user.name');
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(await commit(before)).toEqual(
      uncommitted('git does not know whose commit it would be. Tell it with: git config user.name'),
    );
  });

  it('on no branch', async () => {
    const { git, snapshot, commit } = await project();
    git('checkout', '--quiet', '--detach');
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(await commit(before)).toEqual(uncommitted('HEAD is detached'));
  });

  it('in the middle of a merge, nor while a conflict is left', async () => {
    const { git, snapshot, commit } = await project();
    git('checkout', '--quiet', '-b', 'other');
    git.write({ 'old.txt': 'theirs\n' });
    git.commitAll();
    git('checkout', '--quiet', 'main');
    git.write({ 'old.txt': 'ours\n' });
    git.commitAll();
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    expect(() => git('merge', '--quiet', 'other')).toThrow('git merge');
    expect(await commit(before)).toEqual(uncommitted('a merge is under way'));
    rmSync(join(git('rev-parse', '--absolute-git-dir'), 'MERGE_HEAD'));
    expect(await commit(before)).toEqual(uncommitted('old.txt: a conflict is not resolved'));
  });

  it('on a branch that does not go back to where the work began', async () => {
    const { git, snapshot, commit } = await project();
    git('checkout', '--quiet', '-b', 'other');
    git.write({ 'old.txt': 'other\n' });
    git.commitAll();
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    git('checkout', '--quiet', 'main');
    expect(await commit(before)).toEqual(uncommitted('another branch is checked out'));
  });

  it('on top of one that somebody else makes at the same time', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'new.txt': 'x' });
    const meanwhile = (text: string) => {
      git('commit', '--quiet', '--allow-empty', '-m', 'by somebody else');
      return text;
    };
    expect(await commit(before, { asLogged: meanwhile })).toEqual(
      uncommitted('somebody else made a commit at the same time'),
    );
    expect(git('log', '-1', '--format=%s')).toBe('by somebody else');
  });

  it('of more than can be looked through for secrets', async () => {
    const { git, snapshot, commit } = await project();
    const before = await snapshot();
    git.write({ 'big.txt': 'x'.repeat(65 * 1024 * 1024) });
    expect(await commit(before)).toEqual(uncommitted('more than 64 MiB would have to be looked through'));
  });

  it('across repositories: in a submodule, or one that git does not know', async () => {
    const { git, top, snapshot, commit, root } = await project();
    const library = await tempRoot();
    makeRepository(library).commitAll();
    top('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    git.commitAll();
    const before = await snapshot();
    git.write({ 'lib/new.txt': 'x', 'new.txt': 'x' });
    expect(await commit(before)).toEqual(uncommitted('lib changed, a repository of its own'));
    // One that had changes before counts as unchanged.
    const dirty = await snapshot();
    git.write({ 'lib/more.txt': 'x', 'more.txt': 'x' });
    expect(await commit(dirty)).toMatchObject({ is: 'committed', files: ['more.txt'] });
    mkdirSync(join(root, 'nested'));
    makeRepository(join(root, 'nested')).commitAll();
    expect(await commit(before, { attempt: 2 })).toEqual(
      uncommitted(/nested\/ changed, a repository of its own/),
    );
  });
});
