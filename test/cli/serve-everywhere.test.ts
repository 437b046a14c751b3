import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { logEnv } from '../helpers/log-env.ts';
import { tempRoot } from '../helpers/temp-project.ts';

type Row = {
  readonly name: string;
  readonly path: string;
  readonly waiting: number;
  readonly whyNot?: string;
};

/** Projects in folders of these names, each with an open question, all in the list of a user who is in none of them. */
async function listed(...names: readonly string[]) {
  const base = await tempRoot();
  await rm(join(base, '.clifford'), { recursive: true, force: true });
  const { CLIFFORD_LOG: log } = logEnv();
  // A log that the environment names is that of a single project.
  const env = { XDG_STATE_HOME: join(base, 'state'), CLIFFORD_LOG: '' };
  const run = (args: readonly string[]) => clifford(args, { cwd: base, env });
  for (const [at, name] of names.entries()) {
    const root = join(base, name);
    await mkdir(join(root, '.clifford'), { recursive: true });
    if (log) await writeConfig(join(root, 'clifford.json'), { log: { url: `${log}-${at}` } });
    await clifford(['ask', `Which one in ${name}?`, '--wait', '0'], { cwd: root, env });
    await run(['projects', 'add', root]);
  }
  return { base, env, run };
}

/** A server of all of them, in a process of its own. */
async function serving({ base: cwd, env }: Awaited<ReturnType<typeof listed>>) {
  const program = startClifford(['serve', '--everywhere', '--port', '0', '--json'], { cwd, env });
  const [line] = await program.printed(/^\{.*\}$/m);
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const call = async (path: string, { as = token, body }: { as?: string; body?: object } = {}) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const rows = async () => (await call('api/projects')).json['projects'] as Row[];
  return { program, call, rows };
}

describeOnEachEngine('projects served together', () => {
  it('serves all projects of the list at one address, those that are gone with the reason', async () => {
    const place = await listed('shop', 'my api', 'lost');
    await rename(join(place.base, 'lost'), join(place.base, 'moved'));
    const { program, call, rows } = await serving(place);
    const listing = await rows();
    expect(listing).toMatchObject([
      { name: 'shop', path: 'p/shop/', waiting: 1 },
      { name: 'my api', path: 'p/my%20api/', waiting: 1 },
      { name: 'lost', waiting: 0, whyNot: expect.stringContaining(`there is no ${place.base}/lost`) },
    ]);
    const { json } = await call('p/my%20api/api/state');
    const [question] = json['questions'] as { id: string }[];
    expect(json).toMatchObject({ project: 'my api', questions: [{ title: 'Which one in my api?' }] });
    const answered = await call(`p/my%20api/api/questions/${question?.id}/answer`, {
      body: { response: 'red' },
    });
    expect(answered).toMatchObject({ status: 200 });
    const logOf = async (name: string) =>
      (await place.run(['--project', name, 'replay', 'adhoc', '--json'])).out;
    expect(await logOf('my api')).toMatch(/"type":"help.answered".*"by":"ada".*"via":"web"/);
    expect(await logOf('shop')).not.toContain('help.answered');
    // What is listed from now on is there, too.
    await place.run(['projects', 'remove', 'lost']);
    await place.run(['projects', 'add', join(place.base, 'moved')]);
    await expect
      .poll(async () => (await rows()).map(({ name, whyNot }) => [name, whyNot]), { timeout: 20_000 })
      .toContainEqual(['moved', undefined]);
    // What is taken out of it is served no longer, all of it included.
    for (const name of ['shop', 'my api', 'moved']) await place.run(['projects', 'remove', name]);
    await expect
      .poll(async () => (await call('p/shop/api/state')).status, { timeout: 20_000, interval: 500 })
      .toBe(404);
    expect(await rows()).toEqual([]);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, err: '' });
  });

  it('names the project in what is to be typed about it', async () => {
    const place = await listed('shop');
    const channels = { board: { via: 'webhook', url: 'http://127.0.0.1:1/' } };
    const root = join(place.base, 'shop');
    await writeConfig(join(root, 'clifford.json'), {
      ...(JSON.parse(await readFile(join(root, 'clifford.json'), 'utf8').catch(() => '{}')) as object),
      notify: { channels },
    });
    const off = 'you have not trusted it yet: clifford --project shop notify trust';
    const { program } = await serving(place);
    await program.warned(/note: .*\n/);
    program.kill('SIGTERM');
    expect((await program.ended).err).toBe(`note: shop: notify.channels.board is off: ${off}\n`);
    expect((await place.run(['--project', 'shop', 'notify', 'test', 'board'])).out).toContain(off);
    expect((await place.run(['--project', 'shop', 'doctor'])).out).toContain(off);
  });
});

it('takes tokens that were made for all projects, and none of one of them', async () => {
  const place = await listed('shop', 'api');
  const made = await place.run(['serve', 'token', 'add', 'phone', '--everywhere']);
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('clifford serve --everywhere prints') });
  const ofAll = made.out.trim();
  expect((await place.run(['serve', 'token', 'add', 'phone', '--everywhere'])).err).toContain(
    'clifford serve token revoke phone --everywhere',
  );
  // Of a project it is none, which says whose it is.
  expect(await place.run(['--project', 'shop', 'serve', 'token', 'revoke', 'phone'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('clifford serve token revoke phone --everywhere'),
  });
  const ofShop = (await place.run(['--project', 'shop', 'serve', 'token', 'add', 'phone'])).out.trim();
  expect((await place.run(['serve', 'token', 'list', '--everywhere'])).out).toMatch(/^phone +may decide/);
  const { call } = await serving(place);
  expect(await call('p/shop/api/state', { as: ofAll })).toMatchObject({ status: 200 });
  expect(await call('p/api/api/state', { as: ofAll })).toMatchObject({ status: 200 });
  expect(await call('p/shop/api/state', { as: ofShop })).toMatchObject({ status: 401 });
  const revoked = await place.run(['serve', 'token', 'revoke', 'phone', '--everywhere']);
  expect(revoked).toMatchObject({
    code: 0,
    out: 'revoked phone: pages that use it are closed\n',
    err: expect.stringContaining('To end it, too: clifford --project shop serve token revoke phone\n'),
  });
  expect(await call('p/shop/api/state', { as: ofAll })).toMatchObject({ status: 401 });
  // That of the project is another one.
  expect((await place.run(['--project', 'shop', 'serve', 'token', 'list'])).out).toMatch(/^phone /);
  await place.run(['serve', 'token', 'add', 'phone', '--everywhere']);
  expect(await place.run(['--project', 'shop', 'serve', 'token', 'revoke', 'phone'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('To end it, too: clifford serve token revoke phone --everywhere\n'),
  });
});

it('ends a token also where the list of projects cannot be read', async () => {
  const { base, env } = await listed('shop');
  const inShop = { cwd: join(base, 'shop'), env };
  expect(await clifford(['serve', 'token', 'add', 'phone'], inShop)).toMatchObject({ code: 0 });
  await writeFile(join(env.XDG_STATE_HOME, 'clifford/projects.json'), 'none');
  expect(await clifford(['serve', 'token', 'revoke', 'phone'], inShop)).toMatchObject({ code: 0, err: '' });
  expect((await clifford(['serve', 'token', 'list'], inShop)).out).toContain('No tokens');
});

it('says that there is nothing to serve where the list is empty, and serves no metrics of several', async () => {
  const place = await listed();
  expect(await place.run(['serve', '--everywhere', '--port', '0'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('your list of projects is empty'),
  });
  expect(await place.run(['serve', '--everywhere', '--metrics', '0'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("'--everywhere' cannot be used with option '--metrics"),
  });
});
