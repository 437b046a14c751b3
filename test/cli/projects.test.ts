import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { tempRoot } from '../helpers/temp-project.ts';

/** Projects in folders of these names, each with an open question, and the environment of a user who has listed them. */
async function listed(...names: readonly string[]) {
  const base = await tempRoot();
  // What they are in is none.
  await rm(join(base, '.clifford'), { recursive: true, force: true });
  const env = { XDG_STATE_HOME: join(base, 'state') };
  const run = (args: readonly string[], cwd = base) => clifford(args, { cwd, env });
  for (const name of names) {
    const root = join(base, name);
    await mkdir(join(root, '.clifford'), { recursive: true });
    await run(['ask', `Which one in ${name}?`, '--option', 'red', '--option', 'blue', '--wait', '0'], root);
    await run(['projects', 'add', root]);
  }
  return { base, env, run };
}

/** How many answers its log has. */
async function answersIn(root: string): Promise<number> {
  const text = await readFile(join(root, '.clifford/events.jsonl'), 'utf8');
  return text.split('"type":"help.answered"').length - 1;
}

it('projects are listed by names that tell them apart, and taken out again', async () => {
  const { base, run } = await listed('work/shop', 'other/shop', 'api');
  const inApi = join(base, 'api');
  await mkdir(join(inApi, 'src'));
  expect(await run(['projects', 'add'], join(inApi, 'src'))).toMatchObject({
    out: `api is in your list: ${inApi}\n`,
  });
  expect((await run(['projects'])).out).toBe(
    `api         ${inApi}\nother/shop  ${base}/other/shop\nwork/shop   ${base}/work/shop\n`,
  );
  await rename(inApi, join(base, 'moved'));
  const json: unknown = JSON.parse((await run(['projects', '--json'])).out);
  expect(json).toContainEqual({ name: 'api', root: inApi, isThere: false });
  expect((await run(['projects'])).out).toContain(
    `${inApi} (no project there any more: clifford projects remove api)`,
  );
  expect(await run(['projects', 'remove', inApi])).toMatchObject({ code: 0 });
  expect(await run(['projects', 'remove', 'other/shop'])).toMatchObject({ code: 0 });
  // One alone needs no more than its own name.
  expect((await run(['projects'])).out).toBe(`shop  ${base}/work/shop\n`);
  const unknown = await run(['projects', 'remove', 'api']);
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('Name one of shop') });
  expect(await run(['projects', 'add', base])).toMatchObject({ code: 2 });
  expect(await run(['projects', 'add', 'nowhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no such folder'),
  });
});

it('what is said to be typed about another project names it', async () => {
  const { base, run } = await listed('shop', 'api');
  const said = async (...args: string[]) => (await run(['--project', 'shop', ...args])).err;
  expect(await said('answer', 'q-0', 'yes')).toContain(
    'See what is open with: clifford --project shop questions',
  );
  expect(await said('answer', 'last', '--option', '7')).toContain('clifford --project shop answer ');
  expect(await said('run', 'nosuch')).toContain('clifford --project shop sprint new nosuch');
  expect(await said('serve', 'token', 'add', 'wall')).toContain(
    'clifford --project shop serve token revoke wall',
  );
  expect(await said('ask', 'Which port?', '--wait', '0')).toMatch(
    /Go on waiting with: clifford --project shop ask --request \S+\n$/,
  );
  // The same where it is typed in its folder needs no more.
  expect((await run(['answer', 'q-0', 'yes'], join(base, 'shop'))).err).toContain('with: clifford questions');
});

it('an agent has no say in the list, and one log is not looked at for all', async () => {
  const { base, env, run } = await listed('shop');
  const asAgent = { cwd: base, env: { ...env, CLIFFORD_RUN_ID: 'run-1' } };
  for (const words of [
    ['add', 'shop'],
    ['remove', 'shop'],
  ])
    expect(await clifford(['projects', ...words], asAgent)).toMatchObject({
      code: 1,
      err: expect.stringContaining('a human decides'),
    });
  const log = ['--log', 'nats://127.0.0.1:1/x'];
  expect(await run(['questions', '--everywhere', ...log])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--log names a single one'),
  });
  // Both name one thing each: the log of that project, which is not there.
  for (const words of [
    [...log, '--project', 'shop'],
    ['--project', 'shop', ...log],
  ])
    expect(await run([...words, 'questions'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('127.0.0.1:1'),
    });
});

it('a list that cannot be read is said, and not taken for an empty one', async () => {
  const { env, run } = await listed();
  expect(await run(['projects'])).toMatchObject({ code: 0, out: expect.stringContaining('is empty') });
  expect(await run(['questions', '--everywhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('your list of projects is empty'),
  });
  await mkdir(join(env.XDG_STATE_HOME, 'clifford'), { recursive: true });
  await writeFile(join(env.XDG_STATE_HOME, 'clifford/projects.json'), '{"version":1,"projects":{"*":"x"}}');
  for (const command of [['projects'], ['questions', '--everywhere'], ['--project', 'shop', 'status']])
    expect(await run(command)).toMatchObject({ code: 2, err: expect.stringContaining('projects.json: ') });
});

it('questions of all projects are one list, and are answered from anywhere with what it says', async () => {
  const { base, run } = await listed('shop', 'api');
  const { code, out, err } = await run(['questions', '--everywhere']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(
    /^shop: q-\S+ adhoc: [^]*Which one in shop\?[^]*\n\napi: q-\S+ adhoc: [^]*Which one in api\?/,
  );
  const line = /clifford (--project api answer q-\S+)/.exec(out)?.[1] ?? '';
  const answered = await run([...line.split(' '), 'blue']);
  expect(answered).toMatchObject({ code: 0, out: expect.stringContaining('blue') });
  expect(await answersIn(join(base, 'api'))).toBe(1);
  expect(await answersIn(join(base, 'shop'))).toBe(0);
  const json: unknown = JSON.parse((await run(['questions', '--everywhere', '--json'])).out);
  expect(json).toEqual([expect.objectContaining({ project: 'shop', question: 'Which one in shop?' })]);
});

it('a project that cannot be opened keeps no other from being looked at, and is no empty one', async () => {
  const { base, run } = await listed('shop', 'api', 'gone');
  await rm(join(base, 'gone'), { recursive: true });
  await writeFile(join(base, 'api/.clifford/events.jsonl'), 'no event\nno event\n');
  const { code, out, err } = await run(['questions', '--everywhere']);
  expect(code).toBe(1);
  expect(out).toContain('Which one in shop?');
  expect(err).toMatch(
    /^note: api cannot be opened: [^\n]+\nnote: gone cannot be opened: there is no \S+gone\n$/,
  );
  const status = await run(['status', '--everywhere', '--json']);
  expect(status.code).toBe(1);
  expect(JSON.parse(status.out)).toEqual([
    expect.objectContaining({ project: 'shop', sprints: [expect.objectContaining({ id: 'adhoc' })] }),
    { project: 'api', root: join(base, 'api'), reason: expect.any(String) },
    { project: 'gone', root: join(base, 'gone'), reason: `there is no ${join(base, 'gone')}` },
  ]);
});

it('the project that it is typed in is one of them, and --project is as if it were typed there', async () => {
  const { base, run } = await listed('shop');
  const root = join(base, 'here');
  await mkdir(join(root, '.clifford'), { recursive: true });
  await run(['sprint', 'new', 'mine'], root);
  const status = await run(['status', '--everywhere'], root);
  expect(status.out).toMatch(/^here {2}\S+here\nmine[^]*\n\nshop {2}\S+shop\n/);
  expect(status.out).toContain('clifford --project shop questions');
  expect((await run(['--everywhere'])).out).toContain('Which one in shop?');
  expect((await run(['status', 'mine', '--everywhere'], root)).out).not.toContain('shop');
  const none = await run(['status', 'nobody', '--everywhere'], root);
  expect(none).toMatchObject({ code: 2, out: '' });
  // What is not listed has its name there, too.
  expect((await run(['--project', 'here', 'status'], root)).out).toContain('mine');
  // A folder does for a name; what the shell says of another project or log does not count.
  const named = await clifford(['--project', '../shop', 'status'], {
    cwd: root,
    env: { XDG_STATE_HOME: join(base, 'state'), CLIFFORD_PROJECT_ROOT: root },
  });
  expect(named.out).toContain('Which one in shop?');
  for (const words of [
    ['--project'],
    ['status', '--project='],
    ['--project', '--json', 'status'],
    ['--project', 'no', 'status'],
  ])
    expect(await run(words)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^clifford: Cannot (tell|find)/),
    });
});

it('what opens and ends in any of them is told while it is watched', async () => {
  const { base, env, run } = await listed('shop', 'api');
  const watching = startClifford(['questions', '--everywhere', '--watch', '--json'], { cwd: base, env });
  await watching.printed(/in api\?/);
  void run(['ask', 'And then?', '--wait', '0'], join(base, 'shop'));
  const [line] = await watching.printed(/.*And then\?.*/);
  expect(JSON.parse(line)).toMatchObject({ project: 'shop', phase: 'open' });
  await run(['--project', 'api', 'answer', '--option', '1', ...(await openIn('api'))]);
  const [end] = await watching.printed(/.*"api".*"phase":"(?:answered|delivered)".*/);
  expect(JSON.parse(end)).toMatchObject({ project: 'api', answer: { response: 'red' } });
  watching.kill('SIGINT');
  expect((await watching.ended).code).toBe(130);

  async function openIn(name: string): Promise<string[]> {
    const { out } = await run(['questions', '--json'], join(base, name));
    return (JSON.parse(out) as { id: string }[]).map(({ id }) => id);
  }
});

it('the overview of all projects leads into each and back, and says which is not there', async () => {
  const { base, env } = await listed('shop', 'api', 'gone');
  await rm(join(base, 'gone'), { recursive: true });
  const screen = openClifford(['--everywhere'], { cwd: base, env, columns: 120, rows: 30 });
  await screen.see(/all projects.*\? 2 wait for you/);
  await screen.see('gone cannot be opened: there is no');
  await screen.see(/›.*\? question.*Which one in shop\?/);
  expect(screen.lines().join('\n')).toMatch(/api: outside of sprints +\?1/);
  screen.press('\r');
  await screen.see(/^ ┃ Which one in shop\?/m);
  // It says whose it is: sprints of several may be called the same.
  expect(screen.lines()[0]).toMatch(/^ +shop\/adhoc: /);
  await screen.see('Enter answer');
  screen.press('2');
  await screen.see(/›.*2 {2}blue/);
  screen.press('\r');
  await screen.see('Esc overview');
  screen.press('\u001B');
  await screen.see(/all projects.*\? 1 waits for you/);
  await screen.see(/›.*\? question.*Which one in api\?/);
  expect(await answersIn(join(base, 'shop'))).toBe(1);
  screen.press('q');
  expect(await screen.exited).toBe(0);
});

describeWithNats('projects on a server', (server) => {
  it('are looked at, each with its own log, beside one in a file', async () => {
    const { base, env, run } = await listed('file');
    for (const name of ['one', 'two']) {
      const root = join(base, name);
      await mkdir(join(root, '.clifford'), { recursive: true });
      await writeFile(
        join(root, 'clifford.json'),
        JSON.stringify({ log: { url: `nats://${server.address}/every-${name}` } }),
      );
      await run(['ask', `Which one in ${name}?`, '--wait', '0'], root);
      await run(['projects', 'add', root]);
    }
    // A log that the shell names is that of a single project.
    const everywhere = await clifford(['questions', '--everywhere', '--json'], {
      cwd: base,
      env: { ...env, CLIFFORD_LOG: `nats://${server.address}/every-one` },
    });
    const asked = JSON.parse(everywhere.out) as { project: string; question: string; id: string }[];
    expect(asked.map(({ project, question }) => [project, question])).toEqual([
      ['file', 'Which one in file?'],
      ['one', 'Which one in one?'],
      ['two', 'Which one in two?'],
    ]);
    const answered = await run(['--project', 'two', 'answer', asked[2]?.id ?? '', 'the second']);
    expect(answered).toMatchObject({ code: 0, err: '' });
    expect((await run(['questions'], join(base, 'two'))).out).toBe('No question is open\n');
    expect((await run(['questions'], join(base, 'one'))).out).toContain('Which one in one?');
  });
});
