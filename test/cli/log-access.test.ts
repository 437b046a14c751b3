import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { makeRepository } from '../helpers/temp-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'clifford-log-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const access = (cwd: string, ...args: string[]) => clifford(['log', 'access', ...args], { cwd });

describe('clifford log access', () => {
  it('makes keys for those who have none, and prints nothing that is secret', async () => {
    const root = await tempRoot();
    const args = ['app', '--keys', 'keys', '--worker', 'w1', '--worker', 'w2', '--auditor', 'eve'];
    const { code, out, err } = await access(root, ...args);
    expect(code).toBe(0);
    const keys = ['app.auditor.eve.nk', 'app.worker.w1.nk', 'app.worker.w2.nk'];
    expect((await readdir(join(root, 'keys'))).toSorted()).toEqual(['.gitignore', ...keys]);
    expect((await stat(join(root, 'keys/app.worker.w1.nk'))).mode & 0o777).toBe(0o600);
    expect(err.match(/^note: made a key for (?:w1|w2|eve): hand them the file /gm)).toHaveLength(3);
    expect(out.match(/nkey: U[A-Z2-7]{55}, permissions: \$worker } # worker w[12]$/gm)).toHaveLength(2);
    expect(out).not.toMatch(/\bSU/);
    // Who has one keeps it, and others come to them.
    const more = await access(root, 'app', '--keys', 'keys', '--worker', 'w1', '--human', 'ann');
    expect(more.err.match(/made a key/g)).toHaveLength(1);
    expect(out.match(/nkey: U\w+/g)?.filter((nkey) => !more.out.includes(nkey))).toEqual([]);
    expect(await access(root, 'other', '--keys', 'keys')).toMatchObject({ code: 2, out: '' });
  });

  it('keeps a folder that it makes out of git, and leaves one that is there as it is', async () => {
    const root = await tempRoot();
    const git = makeRepository(root);
    await access(root, 'app', '--keys', 'made/keys', '--human', 'ann');
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
    git.write({ 'there/own.txt': 'own\n' });
    await access(root, 'app', '--keys', 'there', '--human', 'ann');
    expect((await readdir(join(root, 'there'))).toSorted()).toEqual(['app.human.ann.nk', 'own.txt']);
  });

  it('says what cannot be used', async () => {
    const root = await tempRoot();
    expect((await access(root, 'a.b', '--keys', 'keys', '--human', 'ann')).err).toContain('letters, digits');
    const none = await access(root, 'app', '--keys', 'keys');
    expect(none.err).toContain(`no key for it is in ${join(root, 'keys')}`);
    await access(root, 'app', '--keys', 'keys', '--human', 'ann');
    await writeFile(join(root, 'keys/app.human.bob.nk'), 'x');
    const broken = await access(root, 'app', '--keys', 'keys');
    expect(broken).toMatchObject({ code: 2, out: '' });
    expect(broken.err).toContain("app.human.bob.nk: it is not the seed of a user's nkey");
  });
});

const KEEPER = '{ user: keeper, password: secret }';
const everybody = ['--worker', 'w', '--human', 'ann', '--auditor', 'eve'];
const printed = await Promise.all(
  ['app', 'other', 'early'].map((project) => access(folder, project, '--keys', 'keys', ...everybody)),
);

describeWithNats(
  'a server with the accounts that clifford log access prints',
  (server) => {
    /** Runs a command in a folder of its own with somebody's key. */
    const as = (root: string, who: string, of = 'app') => ({
      cwd: root,
      env: {
        CLIFFORD_LOG: `nats://${server.address}/${of}`,
        CLIFFORD_LOG_NKEY: join(folder, `keys/${who}.nk`),
      },
    });

    /** Runs the sprint as the worker of a project, as the configuration of its folder says. */
    const work = async (root: string, of: string) => {
      const log = { url: `nats://${server.address}/${of}`, nkey: join(folder, `keys/${of}.worker.w.nk`) };
      await writeConfig(join(root, 'clifford.json'), { log });
      const args = ['run', '--plain', '--agent-cmd', agentHere('complete')];
      expect(await clifford(args, { cwd: root })).toMatchObject({ code: 0 });
    };

    it('lets a worker run a sprint and an auditor look at it, and at nothing of another project', async () => {
      const root = await tempRoot();
      await writeSprint(root, { tasks: ['a'] });
      await work(root, 'app');
      const there = await tempRoot();
      const auditor = as(there, 'app.auditor.eve');
      expect((await clifford(['status'], auditor)).out).toContain('demo (Sprint demo)');
      expect((await clifford(['replay', '--verify'], auditor)).out).toContain(
        'chain, schemas and legality hold',
      );
      const refused = await clifford(['ask', '--question', 'Which?'], auditor);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toMatch(
        /^clifford: Cannot append to nats:\S+: Permissions Violation[^\n]*\n {2}[^\n]+\n$/,
      );
      const stranger = await clifford(['status'], as(there, 'other.worker.w'));
      expect(stranger).toMatchObject({ code: 2, out: '' });
      expect(stranger.err).toMatch(
        /^clifford: Cannot open nats:\S+: Permissions Violation[^\n]*\n {2}[^\n]+\n$/,
      );
    });

    it('clifford doctor --log proves what each of them can do, and leaves nothing', async () => {
      const root = await tempRoot();
      await writeSprint(root, { tasks: ['a'] });
      const prove = async (who: string, of = 'other') => {
        const { code, out } = await clifford(['doctor', '--log', '--json'], as(root, who, of));
        const { checks } = JSON.parse(out) as { checks: { name: string; status: string }[] };
        return { code, ...Object.fromEntries(checks.map(({ name, status }) => [name, status])) };
      };
      const writer = {
        code: 0,
        server: 'good',
        log: 'good',
        snapshot: 'good',
        follow: 'good',
        append: 'good',
        make: 'good',
        jobs: 'good',
        queue: 'good',
        take: 'good',
        danger: 'good',
        elsewhere: 'good',
      };
      // There is no log yet, and afterwards neither.
      expect(await prove('other.worker.w')).toEqual(writer);
      expect(await prove('other.human.ann')).toEqual({ ...writer, take: 'absent' });
      const nothing = await clifford(['replay', '--verify'], as(root, 'other.human.ann', 'other'));
      expect(nothing.out).toContain('0 events');
      await work(root, 'other');
      const verify = () => clifford(['replay', '--verify'], as(root, 'other.human.ann', 'other'));
      const before = await verify();
      expect(await prove('other.worker.w')).toEqual({ ...writer, kept: 'good' });
      expect(await prove('other.auditor.eve')).toEqual({
        ...writer,
        kept: 'good',
        append: 'absent',
        make: 'absent',
        jobs: 'absent',
        queue: 'absent',
        take: 'absent',
      });
      expect(await verify()).toEqual(before);
      expect(await prove('app.auditor.eve')).toMatchObject({
        code: 1,
        log: 'broken',
        read: 'broken',
        append: 'absent',
      });
    });

    it('clifford doctor --log finds that a log has no queue, as one of before may, until an event is appended', async () => {
      const root = await tempRoot();
      await writeSprint(root, { tasks: ['a'] });
      await work(root, 'early');
      const danger = async (who: string) => {
        const { out } = await clifford(['doctor', '--log', '--json'], as(root, `early.${who}`, 'early'));
        const { checks } = JSON.parse(out) as { checks: { name: string; status: string; fix?: string }[] };
        return checks.find(({ name }) => name === 'danger');
      };
      expect(await danger('worker.w')).toMatchObject({ status: 'good' });
      await removeQueue(server.address);
      for (const who of ['worker.w', 'human.ann'])
        expect(await danger(who)).toMatchObject({
          status: 'warning',
          fix: expect.stringContaining('no queue beside the log'),
        });
      expect(await danger('auditor.eve')).toMatchObject({ status: 'good' });
    });

    it('clifford doctor --log says each of it in a line', async () => {
      const auditor = as(await tempRoot(), 'app.auditor.eve');
      const { code, out } = await clifford(['doctor', '--log'], auditor);
      expect(code).toBe(0);
      const lines = out.replaceAll(/\s*\n {2,}/g, ' ').split('\n');
      expect(lines).toEqual([
        expect.stringMatching(
          /nats-server \d\S+, connected in \d+ ms, not encrypted, as U\w+ of account clifford-app:auditors$/,
        ),
        expect.stringMatching(/kept on 1 server: \d+ messages, 0\.\d MB$/),
        expect.stringMatching(/log of \d+ events at nats:\S+: schemas and chain hold$/),
        expect.stringMatching(/no snapshot of it on this machine yet/),
        expect.stringMatching(/may follow it/),
        expect.stringMatching(
          /^- {1,2}may not append: Cannot append to nats:\S+: Permissions Violation for Publish to "clifford\.ev\.app\.adhoc"$/,
        ),
        expect.stringMatching(/^- {1,2}may not make: Cannot make nats:\S+: Permissions Violation/),
        expect.stringMatching(/^- {1,2}may not look at the queue: Cannot look at the queue of nats:\S+: /),
        expect.stringMatching(/^- {1,2}may not queue: /),
        expect.stringMatching(/^- {1,2}may not take: /),
        expect.stringMatching(/may neither remove the log nor change how it is kept$/),
        expect.stringMatching(/may neither read nor write another project: tried with clifford-nowhere$/),
        'everything works',
        '',
      ]);
    });
  },
  {
    // Somebody who runs the server, in the account of a log.
    config: `accounts {\n${printed
      .map(({ out }) => out.replace(/^("clifford-early": {\n)/m, `$1  users: [${KEEPER}]\n`))
      .join('\n')}\n}`,
  },
);

/** As if nobody had made it. */
async function removeQueue(servers: string): Promise<void> {
  const connection = await connect({ servers, user: 'keeper', pass: 'secret' });
  onTestFinished(() => connection.close());
  await connection.request('$JS.API.STREAM.DELETE.clifford-jobs-early');
}

/** Users whose permissions somebody has written by hand: what they should not have, and what they lack. */
const byHand = {
  all: 'publish: ">"',
  peeps:
    'publish: ["$JS.API.STREAM.INFO.clifford-events-app", "$JS.API.STREAM.MSG.GET.clifford-events-other", "$SYS.REQ.USER.INFO"], subscribe: "_INBOX.>"',
  listens: 'publish: ["clifford.ev.app.*", "$JS.API.>"], subscribe: ["_INBOX.>", "clifford.ev.>"]',
  acksNot: 'publish: { deny: "$JS.ACK.>" }',
  hearsNot: 'subscribe: { deny: "clifford.worker.app" }',
  answersNot: 'publish: { deny: "clifford.worker.app.*" }',
  answersAll:
    'publish: ["$JS.API.STREAM.INFO.clifford-events-app", "$SYS.REQ.USER.INFO"], allow_responses: true',
  consumes: 'publish: ["$JS.API.CONSUMER.MSG.NEXT.clifford-events-app.*", "$SYS.REQ.USER.INFO"]',
  takes: 'publish: ["$JS.API.CONSUMER.MSG.NEXT.clifford-jobs-app.*", "$SYS.REQ.USER.INFO"]',
  acks: 'publish: ["$JS.ACK.clifford-jobs-app.>", "$SYS.REQ.USER.INFO"]',
  makes: 'publish: ["$JS.API.STREAM.CREATE.>", "$SYS.REQ.USER.INFO"]',
};

describeWithNats(
  'clifford doctor --log, of permissions that somebody has written',
  (server) => {
    const prove = async (user: keyof typeof byHand) => {
      const env = {
        CLIFFORD_LOG: `nats://${server.address}/app`,
        CLIFFORD_LOG_USER: user,
        CLIFFORD_LOG_PASSWORD: 'secret',
      };
      const { out } = await clifford(['doctor', '--log', '--json'], { cwd: await tempRoot(), env });
      const { checks } = JSON.parse(out) as {
        checks: { name: string; status: string; text: string; fix?: string }[];
      };
      return new Map(checks.map((check) => [check.name, check]));
    };

    it('finds that one may read or write another project, whichever is there or is named', async () => {
      const nobody = (await prove('all')).get('elsewhere');
      expect(nobody).toMatchObject({
        status: 'warning',
        text: expect.stringContaining(
          'tried with clifford-nowhere, may read it, follow it, append to it, fill its queue',
        ),
        facts: { project: 'clifford-nowhere', may: ['read', 'follow', 'append', 'queue'] },
      });
      await server.addStream({ name: 'clifford-events-other', subjects: ['clifford.ev.other.>'] });
      const facts = (project: string, ...may: string[]) => ({ status: 'warning', facts: { project, may } });
      const all = ['read', 'follow', 'append', 'queue'];
      expect((await prove('all')).get('elsewhere')).toMatchObject(facts('other', ...all));
      expect((await prove('peeps')).get('elsewhere')).toMatchObject(facts('other', 'read'));
      expect((await prove('listens')).get('elsewhere')).toMatchObject(facts('other', 'read', 'follow'));
      expect(await server.messagesIn('clifford-events-other')).toBe(0);
    });

    it('says all else where nobody answers what is asked of another project', async () => {
      const silent = await connect({ servers: server.address });
      onTestFinished(() => silent.close());
      silent.subscribe('clifford.api.>');
      await silent.flush();
      const checks = await prove('all');
      expect(checks.get('elsewhere')).toMatchObject({
        status: 'absent',
        text: expect.stringMatching(/^whether it may read or write another project cannot be told: Cannot /),
      });
      expect(checks.get('append')?.status).toBe('good');
    });

    it('finds that one may remove the log by answering, as users of before may', async () => {
      expect((await prove('answersAll')).get('danger')).toMatchObject({
        status: 'warning',
        text: expect.stringContaining('STREAM.DELETE, STREAM.UPDATE'),
        fix: expect.stringMatching(/allow_responses.*clifford log access/),
      });
      expect((await prove('hearsNot')).get('danger')?.fix).not.toContain('allow_responses');
    });

    it.each(['consumes', 'takes', 'acks', 'makes'] as const)(
      'finds that one may have the server remove the log, as users of before may: who %s',
      async (user) => {
        expect((await prove(user)).get('danger')).toMatchObject({
          status: 'warning',
          facts: { requests: ['STREAM.DELETE'] },
          fix: expect.stringMatching(/account of the log.*clifford log access/),
        });
        expect((await prove('peeps')).get('danger')?.status).toBe('good');
      },
    );

    it('finds what a worker lacks for its queue, and how much is in it', async () => {
      expect((await prove('all')).get('take')?.status).toBe('good');
      expect((await prove('acksNot')).get('take')).toMatchObject({
        status: 'absent',
        text: expect.stringContaining('"$JS.ACK.clifford-jobs-app.'),
      });
      expect((await prove('hearsNot')).get('take')).toMatchObject({
        status: 'absent',
        text: expect.stringContaining('"clifford.worker.app"'),
      });
      expect((await prove('answersNot')).get('take')).toMatchObject({
        status: 'absent',
        text: expect.stringContaining('Publish to "clifford.worker.app.'),
      });
      expect((await prove('all')).get('jobs')?.text).toMatch(/^no queue yet/);
      await server.addStream({ name: 'clifford-jobs-app', subjects: ['clifford.job.app.>'] });
      await server.publish('clifford.job.app.next._.demo', '{}');
      expect((await prove('all')).get('jobs')?.text).toBe('the queue has 1 job');
    });
  },
  {
    config: `no_auth_user: all\naccounts { shared: { jetstream: enabled, users: [${Object.entries(byHand)
      .map(([user, permissions]) => `{ user: ${user}, password: secret, permissions: { ${permissions} } }`)
      .join(',\n')}] } }`,
  },
);

describeWithNats('clifford doctor --log, of a server that has no users', (server) => {
  it('says that one is without a user there', async () => {
    const env = { CLIFFORD_LOG: `nats://${server.address}/app` };
    const { out } = await clifford(['doctor', '--log', '--json'], { cwd: await tempRoot(), env });
    const { checks } = JSON.parse(out) as { checks: { name: string; text: string }[] };
    expect(checks.find(({ name }) => name === 'server')?.text).toMatch(
      /, not encrypted, without a user, in account \$G$/,
    );
  });
});
