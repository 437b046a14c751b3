import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { logNames } from '../../../src/events/jetstream/names.ts';
import { openJsonlLog } from '../../../src/events/jsonl/jsonl-log.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeWithNats, type NatsServer } from '../../helpers/nats-server.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';

/** A project whose log is on the server. */
async function place({ address }: NatsServer, log: object = {}) {
  const root = await tempRoot();
  await writeSprint(root, { tasks: ['a'] });
  const url = `nats://${address}/${randomUUID()}`;
  await writeConfig(join(root, 'clifford.json'), { log: { url, ...log } });
  const run = (...args: string[]) => clifford(args, { cwd: root });
  const file = join(root, '.clifford/events.jsonl');
  const mark = join(root, '.clifford/mirror.json');
  const work = () => run('run', 'demo', '--plain', '--agent-cmd', agentHere('complete'));
  /** The same with one task more than before. */
  const more = async () => {
    expect(await run('task', 'add', 'more', 'Do it', '--sprint', 'demo')).toMatchObject({ code: 0 });
    return work();
  };
  const ask = () => run('ask', '--question', 'Which port?', '--wait', '1');
  return { root, url, run, file, mark, work, more, ask };
}

/** What the server has, as a file. */
async function onServer({ root, url, run }: Awaited<ReturnType<typeof place>>): Promise<string> {
  const to = join(root, `${randomUUID()}.jsonl`);
  expect((await run('log', 'copy', url, to)).code).toBe(0);
  return readFile(to, 'utf8');
}

const text = (file: string) => readFile(file, 'utf8');

/** What may become of the end of a log: its last lines are gone, or there are zeros, as where power fails before they are on the disk. */
const DAMAGE = {
  cut: (whole: string) => whole.split('\n').slice(0, -3).join('\n') + '\n',
  zeros: (whole: string) => whole.slice(0, -400) + '\0'.repeat(400),
};

describeWithNats('the mirror of a log on a server', (server) => {
  it('is the same bytes when a run ends, and goes on with the next one', async () => {
    const here = await place(server);
    expect(await here.work()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
    expect((await text(here.file)).split('\n').length).toBeGreaterThan(4);
    expect(await here.more()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
  });

  it('has what is decided elsewhere while the page is served', async () => {
    const here = await place(server);
    const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
    await program.printed(/^\{.*\}$/m);
    const there = await tempRoot();
    await clifford(['ask', '--question', 'Which port?', '--wait', '1', '--log', here.url], { cwd: there });
    await expect.poll(() => (existsSync(here.file) ? text(here.file) : '')).toContain('Which port?');
    program.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    expect(await text(here.file)).toBe(await onServer(here));
  });

  it('has what came before a message that nobody reads, and becomes another log', async () => {
    const here = await place(server);
    await here.work();
    const whole = await text(here.file);
    const project = here.url.split('/').at(-1) ?? '';
    await server.publish(logNames(project).subjectOf('zz'), '');
    expect((await here.run('status')).err).toMatch(/message \d+ \(clifford\.ev\.\S+\.zz\) is damaged/);
    const next = `${here.url}-2`;
    expect((await here.run('log', 'copy', '.clifford/events.jsonl', next)).code).toBe(0);
    expect(await onServer({ ...here, url: next })).toBe(whole);
    const { code, out } = await here.run('replay', '--verify', '--log', next);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('legality hold') });
  });

  it('is read where the server cannot be reached, and says so; nothing can be decided there', async () => {
    const here = await place(server);
    await here.work();
    const [history, whole] = [await here.run('replay', 'demo', '--plain'), await text(here.file)];
    await server.kill();
    onTestFinished(() => server.start());
    const status = await here.run('status');
    expect(status).toMatchObject({ code: 0 });
    expect(status.out).toContain('demo (Sprint demo): done, 1 of 1 tasks done');
    expect(status.err).toMatch(
      /^note: this is the mirror of nats:\S+, as of \d{4}-\S+ \d\d:\d\d:\d\d, \d+ \w+ ago: /,
    );
    const json = JSON.parse((await here.run('status', '--json')).out) as {
      mirror: { of: string; at: string };
    };
    expect(json.mirror.of).toBe(here.url);
    expect(Date.now() - Date.parse(json.mirror.at)).toBeLessThan(60_000);
    expect((await here.run('replay', 'demo', '--plain')).out).toBe(history.out);
    const verified = await here.run('replay', '--verify');
    expect(verified.out).toMatch(/^verified \.clifford\/events\.jsonl: \d+ events in 1 stream/);
    expect(verified.err).toContain('this is the mirror of');
    const decided = await here.ask();
    expect(decided).toMatchObject({ code: 1, out: '' });
    expect(decided.err).toMatch(/^clifford: Cannot connect to nats:[^\n]*\n {2}[^\n]*\n$/);
    expect(await text(here.file)).toBe(whole);
  });

  it('takes nothing where its log is not named, and becomes a log of its own when its mark is removed', async () => {
    const here = await place(server);
    await here.work();
    const whole = await text(here.file);
    await writeConfig(join(here.root, 'clifford.json'), {});
    const status = await here.run('status');
    expect(status.out).toContain('demo (Sprint demo): done, 1 of 1 tasks done');
    expect(status.err).toContain(`note: this is the mirror of ${here.url}`);
    const { checks } = JSON.parse((await here.run('doctor', '--log', '--json')).out) as {
      checks: { text: string }[];
    };
    expect(checks.map(({ text: line }) => line).join('\n')).toContain(`mirror of ${here.url}, as of `);
    const decided = await here.ask();
    expect(decided.code).toBe(1);
    expect(decided.err).toContain(
      `clifford: Cannot append to ${here.file}: it is the mirror of ${here.url}, as of `,
    );
    const copied = await here.run('log', 'copy', here.url, here.file);
    expect(copied.err).toContain(`Cannot append to ${here.file}: it is the mirror of`);
    expect(await text(here.file)).toBe(whole);
    await rm(here.mark);
    expect((await here.ask()).err).not.toContain('mirror');
    expect((await text(here.file)).startsWith(whole)).toBe(true);
    expect(await text(here.file)).toContain('Which port?');
  });

  it('has nothing twice after a process that was killed before it had marked how far it was', async () => {
    const here = await place(server);
    await here.work();
    const mark = JSON.parse(await text(here.mark)) as object;
    await writeFile(here.mark, JSON.stringify({ ...mark, at: null, token: null }));
    expect(await here.more()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
  });

  it('goes on behind a write that a crash cut short with the same bytes, and has nothing to say of that', async () => {
    const here = await place(server);
    await here.work();
    const [before, mark] = [await text(here.file), await text(here.mark)];
    await here.more();
    const after = await text(here.file);
    await writeFile(here.mark, mark);
    await writeFile(here.file, after.slice(0, before.length + 60));
    await here.ask();
    expect(await here.work()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
    expect((await text(here.file)).startsWith(after)).toBe(true);
  });

  it.each([
    ['as far as its mark says', true],
    ['farther than its mark says', false],
  ])('does not go on behind a line that is another one on the server, and stands %s', async (_, isMarked) => {
    const here = await place(server);
    await here.work();
    const mark = await text(here.mark);
    await here.more();
    if (!isMarked) await writeFile(here.mark, mark);
    const lines = (await text(here.file)).split('\n');
    const forged = [...lines.slice(0, -2), lines.at(-2)?.replace(/"time":"\d{4}/, '"time":"1999'), ''].join(
      '\n',
    );
    await writeFile(here.file, forged);
    expect((await here.run('task', 'add', 'late', 'Do it', '--sprint', 'demo')).code).toBe(0);
    expect((await here.work()).err).toContain(
      'Cannot mirror the log into .clifford/events.jsonl: Cannot copy stream demo: at version ',
    );
    expect(await text(here.file)).toBe(forged);
  });

  it('is whole again after whole lines were taken from its end, before its mark', async () => {
    const here = await place(server);
    await here.work();
    const whole = await text(here.file);
    await writeFile(here.file, DAMAGE.cut(whole));
    const { code, err } = await here.more();
    expect({ code, isRefused: err.includes('Cannot mirror') }).toEqual({ code: 0, isRefused: false });
    expect(await text(here.file)).toBe(await onServer(here));
    expect((await text(here.file)).startsWith(whole)).toBe(true);
  });

  it('is whole again after lines were taken from its end to which nothing comes any more, also while it is followed', async () => {
    const here = await place(server);
    await here.work();
    const whole = await text(here.file);
    const cut = () => writeFile(here.file, DAMAGE.cut(whole));
    await cut();
    for (const then of [cut, () => Promise.resolve()]) {
      const before = await text(here.mark);
      const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
      await program.printed(/^\{.*\}$/m);
      await expect.poll(() => text(here.file), { timeout: 20_000 }).toBe(whole);
      // What it has is looked at once more then, and marked.
      await expect.poll(() => text(here.mark), { timeout: 20_000 }).not.toBe(before);
      await then();
      program.kill('SIGTERM');
      expect((await program.ended).code).toBe(0);
    }
    expect(await text(here.file)).toBe(whole);
  });

  it.each(['cut', 'zeros'] as const)(
    'says offline that it is not complete after its end became %s',
    async (kind) => {
      const here = await place(server);
      await here.work();
      const whole = await text(here.file);
      await writeFile(here.file, DAMAGE[kind](whole));
      await writeConfig(join(here.root, 'clifford.json'), {});
      const status = await here.run('status', '--json');
      expect(status.err).toContain(`this is the mirror of ${here.url}, which is not complete: `);
      expect(JSON.parse(status.out)).toMatchObject({ mirror: { of: here.url, at: null } });
      await writeConfig(join(here.root, 'clifford.json'), { log: { url: here.url } });
      const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
      await expect.poll(() => text(here.file), { timeout: 20_000 }).toBe(whole);
      program.kill('SIGTERM');
      await program.ended;
    },
  );

  it.each(['cut', 'zeros'] as const)(
    'is whole again after its end became %s while it is followed, once something comes',
    async (kind) => {
      const here = await place(server);
      await here.work();
      const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
      const there = await tempRoot();
      const ask = (question: string) =>
        clifford(['ask', '--question', question, '--wait', '1', '--log', here.url], { cwd: there });
      await ask('Which port?');
      const whole = await onServer(here);
      const isMarked = async () =>
        (JSON.parse(await text(here.mark)) as { bytes: number }).bytes === whole.length;
      await expect.poll(isMarked, { timeout: 20_000 }).toBe(true);
      await writeFile(here.file, DAMAGE[kind](whole));
      await ask('Which host?');
      const more = await onServer(here);
      await expect.poll(() => text(here.file), { timeout: 20_000 }).toBe(more);
      program.kill('SIGTERM');
      expect((await program.ended).err).not.toContain('Cannot');
    },
  );

  it('is to be moved away where a line of it is damaged, and is made anew', async () => {
    const here = await place(server);
    await here.work();
    await writeFile(here.file, (await text(here.file)).replace('{', '!'));
    expect((await here.more()).err).toMatch(
      /Cannot mirror the log into \.clifford\/events\.jsonl: Cannot read \S+: line 1 .*Move the file away: it is made anew/,
    );
    // The same where the server cannot be reached.
    await writeConfig(join(here.root, 'clifford.json'), {});
    expect((await here.run('status')).err).toMatch(
      /Cannot read the mirror of nats:.*: Cannot read \S+: line 1 .*Move the file away: it is made anew/s,
    );
    await writeConfig(join(here.root, 'clifford.json'), { log: { url: here.url } });
    await rm(here.file);
    await here.ask();
    expect(await here.work()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
  });

  it('is whole again after its file was removed without its mark', async () => {
    const here = await place(server);
    await here.work();
    await rm(here.file);
    await here.ask();
    expect(await here.work()).toMatchObject({ code: 0 });
    expect(await text(here.file)).toBe(await onServer(here));
  });

  it('is none before the first event: the log is copied to its place', async () => {
    const here = await place(server);
    const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
    await program.printed(/^\{.*\}$/m);
    program.kill('SIGTERM');
    await program.ended;
    expect(existsSync(here.mark)).toBe(false);
    const there = await tempRoot();
    await clifford(['ask', '--question', 'Which port?', '--wait', '1', '--log', here.url], { cwd: there });
    expect(await here.run('log', 'copy', here.url, here.file)).toMatchObject({ code: 0, err: '' });
  });

  it('is made of the log that was copied to the server, and not of one that has more', async () => {
    const here = await place(server);
    await writeConfig(join(here.root, 'clifford.json'), {});
    await here.work();
    const before = await text(here.file);
    await writeConfig(join(here.root, 'clifford.json'), { log: { url: here.url } });
    const refused = await here.more();
    expect(refused.err).toContain('Cannot mirror the log into .clifford/events.jsonl: ');
    expect(await text(here.file)).toBe(before);
    expect(existsSync(here.mark)).toBe(false);

    const next = await place(server);
    await writeFile(next.file, before);
    expect((await next.run('log', 'copy', next.file, next.url)).code).toBe(0);
    expect(await next.more()).toMatchObject({ code: 0 });
    expect(await text(next.file)).toBe(await onServer(next));
    expect((await text(next.file)).startsWith(before)).toBe(true);
    const log = await openJsonlLog(next.file);
    onTestFinished(() => log.close());
    expect(await log.head('demo')).toBeGreaterThan(4);
  });

  it('goes on with a log that was moved to a file and back, and not with one that lacks what it has', async () => {
    const here = await place(server);
    await here.work();
    const [copy, stream] = [join(here.root, 'copy.jsonl'), logNames(here.url.split('/').at(-1) ?? '').stream];
    expect((await here.run('log', 'copy', here.url, copy)).code).toBe(0);
    const program = startClifford(['serve', '--port', '0', '--json'], { cwd: here.root });
    await program.printed(/^\{.*\}$/m);
    await server.removeStream(stream);
    expect((await here.run('log', 'copy', copy, here.url)).code).toBe(0);
    expect(await here.more()).toMatchObject({ code: 0 });
    program.kill('SIGTERM');
    await program.ended;
    const before = await text(here.file);
    expect(before).toBe(await onServer(here));

    await server.removeStream(stream);
    expect((await here.run('log', 'copy', copy, here.url)).code).toBe(0);
    const refused = await here.work();
    expect(refused.err).toContain(
      'Cannot mirror the log into .clifford/events.jsonl: it has events of demo that are not there',
    );
    expect(await text(here.file)).toBe(before);
  });

  it('is not kept where nobody wants one', async () => {
    const here = await place(server, { mirror: false });
    expect(await here.work()).toMatchObject({ code: 0 });
    expect([here.file, here.mark].filter((file) => existsSync(file))).toEqual([]);
  });
});
