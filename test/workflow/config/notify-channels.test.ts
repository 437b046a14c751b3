import { describe, expect, it } from 'vitest';
import { channelOrigins } from '../../../src/workflow/config/channel-origins.ts';
import { problemText } from '../../../src/workflow/config/config-problem.ts';
import { readConfig } from '../../../src/workflow/config/load-config.ts';
import { configured } from '../../helpers/config-files.ts';

/** What is wrong with a channel, a line each, without the place. */
async function mistakes(channel: object): Promise<string[]> {
  const { source } = await configured({ project: { notify: { channels: { x: channel } } } });
  const { problems } = await readConfig(source);
  return problems.map((problem) => problemText(problem).replace(/^.*?:\d+:\d+: notify\.channels\.x\.?/, ''));
}

const phone = { via: 'telegram', token: '${TOKEN}', chat: '1' };

describe('a secret in the file itself', () => {
  const rule = /a secret does not belong into the file|must be a text without a secret in it/;

  it.each([
    ['a token', { ...phone, token: '123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw' }],
    ['a token around a variable', { ...phone, token: 'AAHdqTcvCH1vGWJx${TOKEN}' }],
    ['a token as the default of a variable', { ...phone, token: '${TOKEN:-AAHdqTcvCH1vGWJx}' }],
    [
      'a password',
      { via: 'email', url: 'smtp://m', from: 'a', to: ['b'], user: 'u', password: 'hunter2hunter2' },
    ],
    [
      'the address of a webhook of Slack',
      { via: 'webhook', url: 'https://hooks.slack.com/services/T0/B0/xyzxyzxyz' },
    ],
    ['that of one of Discord', { via: 'webhook', url: 'https://discord.com/api/webhooks/12/xyzxyzxyz' }],
    ['a password in an address', { via: 'webhook', url: 'https://ada:xyzxyzxyz@example.com/' }],
    ['an argument', { via: 'command', command: ['curl', 'https://ada:xyzxyzxyz@example.com/'] }],
    ['a token in one', { via: 'command', command: ['send', 'AAHdq', `sk-ant-api03-AAHdq${'x'.repeat(60)}`] }],
  ])('is refused, and not shown: %s', async (_what, channel) => {
    const [line = '', ...others] = await mistakes(channel);
    expect(line).toMatch(rule);
    expect([line, ...others].join()).not.toMatch(/AAHdq|hunter2|xyzxyz/);
  });

  it('is none where a variable is named, which need not be set', async () => {
    expect(await mistakes(phone)).toEqual([]);
    const sends = { via: 'command', command: ['sh', '-c', 'curl https://$USER:${PASSWORD}@example.com/'] };
    expect(await mistakes(sends)).toEqual([]);
    const { source } = await configured({ project: { notify: { channels: { x: phone } } } });
    const { config, origins } = await readConfig(source);
    expect(config.notify.channels['x']?.token).toBe('${TOKEN}');
    expect(origins.get('notify.channels.x.token')).toMatchObject({ origin: 'clifford.json:6' });
  });
});

describe('a channel', () => {
  it.each([
    [{ via: 'telegram', chat: '1' }, 'via also needs token'],
    [{ via: 'ntfy', topic: 't', chat: '1' }, 'chat says nothing to ntfy'],
    [{ ...phone, approvals: true }, 'approvals also needs answers: who may say yes'],
    [
      { via: 'slack', token: '${T}', chat: 'C', answers: { ada: 'U' } },
      'via also needs appToken: without it no answer can be read',
    ],
    [{ ...phone, answers: { file: '1' } }, /^answers has the name "file"/],
    [{ ...phone, answers: { 'agent:run-1': '1' } }, /^answers has the name "agent:run-1"/],
    [{ ...phone, after: -1 }, /^after must be a whole number from 0 to 31536000, in seconds/],
    [{ ...phone, via: 'pigeon' }, /^via must be one of "webhook"/],
  ])('that makes no sense is a mistake: %j', async (channel, rule) => {
    expect((await mistakes(channel))[0]).toMatch(rule);
  });

  const mail = { via: 'email', url: 'smtp://m', from: 'a@b.example', to: ['c@d.example'] };
  const slack = { via: 'slack', token: '${T}', chat: 'C' };
  it.each([
    [{ ...phone, token: '123:abc' }, /^token must name an environment variable/],
    [{ ...mail, url: '' }, /^url must be a text that is not empty$/],
    [{ ...mail, to: [] }, /^to must be /],
    [{ ...mail, to: [''] }, /^to\[0\] must be /],
    [{ ...mail, user: '', password: '${P}' }, /^user must be /],
    [{ via: 'command', command: [] }, /^command must be a list that is not empty/],
    [{ via: 'command', command: ['x', ''] }, /^command\[1\] must be a text that is not empty$/],
    [{ via: 'command', command: [5] }, /^command\[0\] must be a text that is not empty$/],
    [
      { via: 'command', command: ['x'.repeat(20_000)] },
      /^command\[0\] must be a text of at most 16384 characters$/,
    ],
    [{ ...slack, answers: { ada: 'U' }, appToken: 'xapp-1-a' }, /^appToken must name/],
    [{ ...phone, approvals: true, answers: { file: '1' } }, /^answers has the name "file"/],
  ])('whose key is there and wrong is said to be wrong, and not to lack it: %j', async (channel, rule) => {
    expect(await mistakes(channel)).toEqual([expect.stringMatching(rule)]);
  });

  it('is of the project as soon as clifford.json has a part in it', async () => {
    const user = { notify: { channels: { x: phone } } };
    const own = await configured({ user });
    expect(channelOrigins(await readConfig(own.source), 'x').isOfProject).toBe(false);
    const both = await configured({ user, project: { notify: { channels: { x: { chat: '666' } } } } });
    expect(channelOrigins(await readConfig(both.source), 'x')).toMatchObject({
      isOfProject: true,
      lines: expect.arrayContaining([{ key: 'chat', written: '666', origin: 'clifford.json:5' }]),
    });
  });
});
