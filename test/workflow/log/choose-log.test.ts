import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseLog } from '../../../src/workflow/log/choose-log.ts';
import { openProject } from '../../../src/workflow/project/project.ts';
import { configured } from '../../helpers/config-files.ts';

const url = 'nats://one:4222,two:4222/team';

describe('the log of a project', () => {
  it('is the file where nobody names another', async () => {
    const { source } = await configured({ project: { notify: { channels: {} }, agentCmd: 'grep "log" x' } });
    expect(await chooseLog(source)).toBeUndefined();
  });

  it('is the one of log.url in clifford.json, with the files of its login from the project’s root', async () => {
    const { source, root } = await configured({
      user: { log: { servers: ['one', 'TWO:4222'] } },
      project: { log: { url, replicas: 3, credentials: 'team.creds', ca: '/etc/ca.pem' } },
    });
    expect(await chooseLog(source)).toEqual({
      name: url,
      servers: ['one:4222', 'two:4222'],
      project: 'team',
      isEncrypted: false,
      replicas: 3,
      isMirrored: true,
      login: { credentialsFile: join(root, 'team.creds') },
      tls: { ca: '/etc/ca.pem', cert: undefined, key: undefined },
    });
  });

  it('is the one of CLIFFORD_LOG rather than that', async () => {
    const env = { CLIFFORD_LOG: 'tls://other:4222/mine' };
    const { source } = await configured({ project: { log: { url, replicas: 3 } }, env });
    expect(await chooseLog(source)).toMatchObject({
      servers: ['other:4222'],
      project: 'mine',
      isEncrypted: true,
      replicas: 3,
      login: undefined,
    });
  });

  it('is never one that the user’s own file names for every project', async () => {
    const { source } = await configured({ user: { log: { url } }, project: { log: { replicas: 3 } } });
    expect(await chooseLog(source)).toBeUndefined();
  });

  it.each([
    [url, ['one:4222']],
    [url, ['one:4222', 'two:4223']],
    ['nats://one.evil:4222/team', ['one']],
    ['nats://127.0.0.1.evil:4222/team', []],
    ['nats://localhost:4222,evil:4222/team', ['localhost']],
  ])(
    'is not %s because clifford.json alone says so, where one’s own file knows %j',
    async (named, servers) => {
      const { source } = await configured({ user: { log: { servers } }, project: { log: { url: named } } });
      await expect(chooseLog(source)).rejects.toMatchObject({ code: 'LOG_SERVER_UNTRUSTED' });
      const { source: vouching } = await configured({
        project: { log: { url: named, servers: ['one', 'two', 'evil', 'one.evil', '127.0.0.1.evil'] } },
      });
      await expect(chooseLog(vouching)).rejects.toMatchObject({ code: 'LOG_SERVER_UNTRUSTED' });
    },
  );

  it.each(['localhost:4222', '127.0.0.1:4222', '127.8.0.1', '[::1]:4222'])(
    'is one on this machine wherever it is named: %s',
    async (server) => {
      const { source } = await configured({ project: { log: { url: `nats://${server}/team` } } });
      expect(await chooseLog(source)).toMatchObject({ servers: [server] });
    },
  );

  it('takes a login from the user’s own file', async () => {
    const { source } = await configured({
      user: { log: { nkey: '/keys/me.nk', servers: ['one', 'two'] } },
      project: { log: { url } },
    });
    expect(await chooseLog(source)).toMatchObject({ login: { nkeyFile: '/keys/me.nk' } });
  });

  it.each([
    [{ CLIFFORD_LOG_TOKEN: 't' }, { token: 't' }],
    [
      { CLIFFORD_LOG_USER: 'u', CLIFFORD_LOG_PASSWORD: 'p' },
      { user: 'u', password: 'p' },
    ],
    [{ CLIFFORD_LOG_CREDENTIALS: '/me.creds' }, { credentialsFile: '/me.creds' }],
    [{ CLIFFORD_LOG_NKEY: '/me.nk' }, { nkeyFile: '/me.nk' }],
  ])('is let into by %j', async (login, expected) => {
    const { source } = await configured({ env: { CLIFFORD_LOG: url, ...login } });
    expect(await chooseLog(source)).toMatchObject({ login: expected });
  });

  it.each([{ CLIFFORD_LOG_TOKEN: 't' }, { CLIFFORD_LOG_USER: 'u', CLIFFORD_LOG_PASSWORD: 'p' }])(
    'tells no secret to a server that clifford.json alone names: %j',
    async (env) => {
      const { source } = await configured({
        user: { log: { servers: ['one', 'two'] } },
        project: { log: { url } },
        env,
      });
      await expect(chooseLog(source)).rejects.toMatchObject({ code: 'LOG_LOGIN_UNSAFE' });
    },
  );

  it.each([
    ['a URL that is none', { log: { url: 'nats://one' } }],
    ['a file that cannot be read', '{ "log": { "url": "nats://one:4222/team" '],
    ['a section that is none', { log: 'nats://one:4222/team' }],
    ['a variable that is not set', { log: { url: 'nats://${NOBODY_SETS_THIS}/team' } }],
  ])('is not guessed where the configuration has %s', async (_, project) => {
    const { source, root } = await configured({ project });
    await expect(chooseLog(source)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(openProject({ root, source: '/clifford/cli', env: source.env })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it.each(['nats://one:99999/team', 'nats://300.0.0.1:4222/team', 'nats://one:4222,two:x/team'])(
    'is not looked for where no server can be: %s',
    async (url) => {
      const { source } = await configured({ env: { CLIFFORD_LOG: url } });
      await expect(chooseLog(source)).rejects.toMatchObject({ code: 'LOG_URL_INVALID' });
    },
  );

  it('is not guessed where CLIFFORD_LOG is no URL, whose password is not shown', async () => {
    const { source } = await configured({ env: { CLIFFORD_LOG: 'nats://ann:geheim@one:4222/team' } });
    await expect(chooseLog(source)).rejects.toMatchObject({ code: 'LOG_URL_INVALID' });
    await expect(chooseLog(source)).rejects.toThrow('Cannot find a log at "nats://…@one:4222/team"');
  });

  it.each([
    ['http://one/team', 'it has to begin with nats:// or tls://'],
    ['one:4222/team', 'it has to begin with nats:// or tls://'],
    ['nats://ann:ge/heim@one/team', 'it has to be without a user, which others would read'],
    ['nats:///team', 'it names no server'],
    ['nats://one,two:99999/team', '"two:99999" is no server and port'],
    ['nats://one,/team', '"" is no server and port'],
    ['nats://one', 'it names no project'],
    ['nats://one/', 'it names no project'],
    [`nats://one/${'a'.repeat(129)}`, 'its project has more than 128 characters'],
    ['nats://one/team.a', 'its project has other characters than letters, digits, _ and -'],
    ['nats://one/team/', 'its project has other characters than letters, digits, _ and -'],
  ])('says what is wrong with %s', async (url, wrong) => {
    const { source } = await configured({ env: { CLIFFORD_LOG: url } });
    await expect(chooseLog(source)).rejects.toThrow(`: ${wrong}`);
    await expect(chooseLog(source)).rejects.not.toThrow('heim');
  });

  it('names a file of credentials that is not there, or has none, before it connects', async () => {
    const { source, root } = await configured({
      project: { log: { url: 'nats://127.0.0.1:1/team', credentials: 'me.creds' } },
    });
    const open = () => openProject({ root, source: '/clifford/cli', env: source.env });
    await expect(open()).rejects.toMatchObject({ code: 'LOG_LOGIN_INVALID' });
    await writeFile(join(root, 'me.creds'), 'nothing of use');
    await expect(open()).rejects.toThrow('it has no key that could be used');
  });
});
