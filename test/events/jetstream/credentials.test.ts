import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJetStreamLog } from '../../../src/events/jetstream/jetstream-log.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { NatsAccount } from '../../helpers/nats-credentials.ts';
import { describeWithNats, type NatsServer } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { numbered, reasonsIn } from '../sample-events.ts';
import { natsPlace } from './temp-log.ts';

const account = new NatsAccount();

/** A file with these credentials, and where a log is that is opened with it. */
async function placeWith(server: NatsServer, credentials: string, like = natsPlace(server).options) {
  const credentialsFile = join(await tempRoot(), 'me.creds');
  await writeFile(credentialsFile, credentials);
  return { ...like, login: { credentialsFile } };
}

/** Opens a log with these credentials, and closes it when the test is finished. */
async function openWith(...where: Parameters<typeof placeWith>) {
  const log = await openJetStreamLog(await placeWith(...where));
  onTestFinished(() => log.close());
  return log;
}

describeWithNats(
  'a server whose users are signed by accounts',
  (server) => {
    it('lets in by a file of credentials', async () => {
      const log = await openWith(server, account.credentials());
      await log.append('s', numbered('s', 2), { expectedVersion: 0 });
      expect(await reasonsIn(log)).toEqual(['0', '1']);
    });

    it.each([
      ['of an account it does not know', () => new NatsAccount().credentials()],
      ['that are good no longer', () => account.credentials({ lives: -10 })],
    ])('refuses credentials %s, and it is said what to do', async (_, credentials) => {
      const opened = openWith(server, credentials());
      await expect(opened).rejects.toMatchObject({ code: 'LOG_FORBIDDEN', recovery: 'fix-input' });
      await expect(opened).rejects.toThrow(/^Cannot connect to nats:/);
    });

    it('has nothing appended by who may only read', async () => {
      const { options } = natsPlace(server);
      const writing = await openWith(server, account.credentials(), options);
      await writing.append('s', numbered('s', 1), { expectedVersion: 0 });
      const pub = { allow: ['$JS.API.STREAM.INFO.>', '$JS.API.STREAM.MSG.GET.>', '$JS.API.CONSUMER.>'] };
      const looking = await openWith(server, account.credentials({ may: { pub } }), options);
      expect(await reasonsIn(looking)).toEqual(['0']);
      const refused = looking.append('s', numbered('s', 1, 1), { expectedVersion: 1 });
      await expect(refused).rejects.toMatchObject({ code: 'LOG_FORBIDDEN' });
    });

    it('says that credentials are good no longer while they are used, and takes those that are written there next', async () => {
      const address = await placeWith(server, account.credentials({ lives: 2 }));
      const log = await openJetStreamLog(address);
      onTestFinished(() => log.close());
      await log.append('s', numbered('s', 1), { expectedVersion: 0 });
      const said: unknown[] = [];
      const note = (each: unknown) => void said.push(each);
      // Each waits for the server before it says so.
      const reads = setInterval(() => void reasonsIn(log).then(note, note), 500);
      onTestFinished(() => clearInterval(reads));
      const isSaid = async (what: unknown, timeout: number) => {
        await expect.poll(() => said.at(-1), { timeout }).toEqual(what);
      };
      const { credentialsFile } = address.login;
      const refusal =
        'the server lets this login in no longer: (User Authentication Expired|Authorization Violation)';
      const fix: unknown = expect.stringContaining('Renew the file of credentials');
      const refused = (how: string): unknown =>
        expect.objectContaining({ message: expect.stringMatching(new RegExp(`${how}$`)), fix });
      await isSaid(refused(refusal), 40_000);
      await writeFile(credentialsFile, 'half of them');
      const useless = `${credentialsFile} cannot be used: it has no key that could be used`;
      await isSaid(refused(`${refusal}; ${useless}`), 10_000);
      await writeFile(credentialsFile, account.credentials());
      await isSaid(['0'], 10_000);
      const errors = said.filter((each) => each instanceof Error);
      for (const error of errors) expect(error).toMatchObject({ code: 'LOG_UNREACHABLE' });
    });

    it('is asked with the file that the project names, from its root', async () => {
      const root = await tempRoot();
      await writeFile(join(root, 'team.creds'), account.credentials());
      const log = { url: `nats://${server.address}/creds`, credentials: 'team.creds' };
      await writeFile(join(root, 'clifford.json'), JSON.stringify({ log }));
      const asked = await clifford(['ask', 'Which port?', '--wait', '0'], { cwd: root });
      expect(asked.err).not.toContain('Cannot');
      expect((await clifford(['questions'], { cwd: root })).out).toContain('Which port?');
      expect(await clifford(['doctor', '--log'], { cwd: root })).toMatchObject({ code: 0 });
    });
  },
  { config: account.config },
);
