import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRemotes } from '../../../src/notify/remote/open-channels.ts';
import { trustChannels } from '../../../src/notify/remote/trust-channels.ts';
import { readConfig } from '../../../src/workflow/config/load-config.ts';
import { configured, writeConfig, type ConfigFiles } from '../../helpers/config-files.ts';

const push = { via: 'ntfy', topic: 'mine' };
const mine = { via: 'command', command: ['true'] };
const phone = { via: 'telegram', token: '${TOKEN}', chat: '1', answers: { ada: '1' } };
const channels = (given: object) => ({ notify: { channels: given } });

async function place(files: ConfigFiles) {
  const { root, home, source } = await configured(files);
  const env = { HOME: home, ...files.env };
  const open = async (more: Record<string, string> = {}) => {
    const opened = await openRemotes(
      { root, env: { ...env, ...more } },
      await readConfig({ root, env: source.env }),
    );
    return Object.fromEntries(opened.map(({ name, way }) => [name, 'off' in way ? way.off : 'open']));
  };
  const trust = async (...names: string[]) =>
    trustChannels({ root, env }, await readConfig({ root, env: source.env }), names);
  return { root, home, open, trust };
}

const isNew = 'you have not trusted it yet: clifford notify trust';

describe('a channel', () => {
  it.each([
    [
      'http://board.example:8080/x',
      'what goes to board.example:8080 can be read on the way: its url begins with http:',
    ],
    ['https://board.example/x', undefined],
    ['http://127.0.0.1:8080/x', undefined],
    ['http://localhost/x', undefined],
  ])('whose url is %s says that others can read what it sends, where they can', async (url, remark) => {
    const { root, home, source } = await configured({
      user: channels({
        hook: { via: 'webhook', url },
        push: { via: 'ntfy', url, topic: 'mine' },
        bot: { via: 'telegram', url, token: '${TOKEN}', chat: '1' },
        chat: { via: 'slack', url, token: '${TOKEN}', chat: 'C1' },
      }),
    });
    const env = { HOME: home, CLIFFORD_TRUST_PROJECT: '1', TOKEN: 'x' };
    const opened = await openRemotes({ root, env }, await readConfig({ root, env: source.env }));
    expect(opened.map(({ way }) => ('off' in way ? way.off : way.remark?.text))).toEqual(
      Array(4).fill(remark),
    );
  });

  it.each([
    ['no-such-program', 'no-such-program is not on the PATH'],
    ['./no-such-program', 'there is no program ./no-such-program'],
    ['sh', undefined],
  ])('whose program is %s says where that is not there', async (program, remark) => {
    const { root, home, source } = await configured({
      user: channels({ mine: { via: 'command', command: [program] } }),
    });
    const env = { HOME: home, CLIFFORD_TRUST_PROJECT: '1' };
    const [opened] = await openRemotes({ root, env }, await readConfig({ root, env: source.env }));
    expect(opened && 'remark' in opened.way && opened.way.remark?.text).toBe(remark);
  });

  it('of the own file only sends without a word; one of the project, with answers, or that runs a program has to be trusted', async () => {
    const { open, trust } = await place({
      user: channels({ push, phone, mine }),
      project: channels({ theirs: { via: 'webhook', url: 'https://stranger.example' } }),
      env: { TOKEN: '1:x' },
    });
    expect(await open()).toEqual({ push: 'open', phone: isNew, mine: isNew, theirs: isNew });
    expect(await open({ CLIFFORD_TRUST_PROJECT: '1' })).toEqual({
      push: 'open',
      phone: 'open',
      mine: 'open',
      theirs: 'open',
    });
    await trust('phone');
    expect(await open()).toEqual({ push: 'open', phone: 'open', mine: isNew, theirs: isNew });
  });

  it('is off again when anything of it changes, or a checkout takes a part of it', async () => {
    const { root, home, open, trust } = await place({
      user: channels({ phone, push }),
      env: { TOKEN: '1:x' },
    });
    await trust('phone');
    const changed = { ...phone, answers: { ada: '1', eve: '666' } };
    await writeConfig(join(home, '.config/clifford/config.json'), channels({ phone: changed, push }));
    const again = 'it has changed since you trusted it: clifford notify trust';
    expect(await open()).toEqual({ phone: again, push: 'open' });
    await writeConfig(join(home, '.config/clifford/config.json'), channels({ phone, push }));
    expect(await open()).toEqual({ phone: 'open', push: 'open' });
    await writeConfig(
      join(root, 'clifford.json'),
      channels({ phone: { chat: '666' }, push: { topic: 'theirs' } }),
    );
    expect(await open()).toEqual({ phone: again, push: isNew });
  });

  it.each([
    [phone, {}, 'TOKEN, which token needs, is not set'],
    [phone, { TOKEN: '' }, 'TOKEN, which token needs, is empty'],
    [{ via: 'webhook', url: '${URL}' }, { URL: 'ftp://x' }, 'its url begins with none of https://, http://'],
    [
      { via: 'webhook', url: '${URL}' },
      { URL: 'https://a:secret@x' },
      'its url has a name or a password in it: they have keys of their own',
    ],
    [{ topic: 'x' }, {}, 'it has no via: what its messages go through'],
    ...['whsec_', 'whsec_c2hvcnQ=', `whsec_${'!'.repeat(40)}`, `whsec_${'aGk'.repeat(20)}é`].map(
      (HOOK): [object, Record<string, string>, string] => [
        { via: 'webhook', url: 'https://x', secret: '${HOOK}' },
        { HOOK },
        'its secret has no 24 bytes in base64 behind whsec_',
      ],
    ),
  ])('that lacks something says what: %j', async (channel, env, off) => {
    const { open } = await place({
      user: channels({ x: channel }),
      env: { CLIFFORD_TRUST_PROJECT: '1', ...env },
    });
    expect(await open()).toEqual({ x: off });
  });
});
