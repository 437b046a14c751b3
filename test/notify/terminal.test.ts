import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/workflow/config/config-schema.ts';
import type { OpenChannel, Shown } from '../../src/notify/channel.ts';
import { channels, openChannels } from '../../src/notify/channels.ts';
import type { Notice } from '../../src/notify/notice.ts';
import { readSignals } from '../helpers/terminal-signals.ts';

const notice: Notice = {
  kind: 'question',
  title: 'Clifford · demo: a asks',
  text: 'Red; or blue?',
  sprint: 'demo',
};
const shown: Shown = { name: 'demo', open: 1, done: 1, total: 3, end: undefined, stall: undefined };

/** The channels of a terminal with this environment, and what they have written to it. */
function onTerminal(env: Record<string, string>, notify: object = {}) {
  let bytes = '';
  const open = openChannels(configSchema.parse({ notify }).notify, {
    write: (sequence) => (bytes += sequence),
    env,
  });
  const each = (act: (channel: OpenChannel) => void) => {
    for (const channel of open) act(channel);
    return readSignals(bytes);
  };
  return { each, bytes: () => bytes };
}

const call = ({ call: tell }: OpenChannel, about = notice) => void tell?.(about);
const decoded = (notification: string) =>
  notification.replace(/[^;]+$/, (text) => Buffer.from(text, 'base64').toString('utf8'));

describe('a notification of the desktop', () => {
  it.each([
    [{ TERM_PROGRAM: 'iTerm.app' }, ['9;Clifford · demo: a asks: Red; or blue?']],
    [{ TERM_PROGRAM: 'ghostty' }, ['777;notify;Clifford · demo: a asks;Red, or blue?']],
    [{ TERM: 'foot' }, ['777;notify;Clifford · demo: a asks;Red, or blue?']],
    [{ TERM: 'xterm-256color' }, []],
    [{ TERM: 'alacritty', TERM_PROGRAM: '' }, []],
  ])('is what a terminal with %j takes for one, beside the bell', async (env, notifications) => {
    const { each } = onTerminal(env);
    expect(await each(call)).toMatchObject({ bells: 1, notifications, lines: [] });
  });

  it('has its title and its text in parts for kitty', async () => {
    const { notifications } = await onTerminal({ KITTY_WINDOW_ID: '1' }).each(call);
    expect(notifications.map(decoded)).toEqual([
      '99;i=clifford:d=0:p=title:e=1;Clifford · demo: a asks',
      '99;i=clifford:d=1:p=body:e=1;Red; or blue?',
    ]);
  });

  it('goes through tmux, which hands on what it does not read', async () => {
    const { each, bytes } = onTerminal({ TMUX: '/tmp/tmux', TERM_PROGRAM: 'tmux', KITTY_WINDOW_ID: '1' });
    await each(call);
    const [begin, end] = ['\u0007\u001BPtmux;', '\u001B\\'];
    expect([bytes().startsWith(begin), bytes().endsWith(end)]).toEqual([true, true]);
    const wrapped = bytes().slice(begin.length, -end.length);
    expect(wrapped.replaceAll('\u001B\u001B', '')).not.toContain('\u001B');
    const { notifications } = await readSignals(wrapped.replaceAll('\u001B\u001B', '\u001B'));
    expect(notifications).toHaveLength(2);
  });

  it('is the one that the configuration names, or none', async () => {
    const env = { TERM: 'xterm-256color' };
    const { notifications } = await onTerminal(env, { desktop: 'osc9' }).each(call);
    expect(notifications).toHaveLength(1);
    const off = { bell: false, desktop: false, title: false, progress: false };
    const { each, bytes } = onTerminal({ TERM_PROGRAM: 'ghostty' }, off);
    await each((channel) => {
      call(channel);
      channel.show?.(shown);
      channel.close?.();
    });
    expect(bytes()).toBe('');
  });

  it.each(['osc9', 'osc777', 'osc99'])('of %s is ended by no text within it', async (desktop) => {
    const evil = {
      ...notice,
      title: 'Clifford\u0007\u001B]0;mine\u0007',
      text: 'a\u001B\\b\u009C\u0007c\u001B[2Jd',
    };
    const { each } = onTerminal({}, { desktop });
    const { bells, notifications, titles, lines } = await each((channel) => call(channel, evil));
    expect({ bells, titles, lines }).toEqual({ bells: 1, titles: ['shell'], lines: [] });
    expect(notifications.map(desktop === 'osc99' ? decoded : String).join(' ')).toMatch(/abcd$/);
  });
});

describe('the title', () => {
  it('says what waits, or how far it is, is written when it changes, and is given back', async () => {
    const { each } = onTerminal({ TERM: 'xterm' });
    const end = { how: 'failed', why: '' } as const;
    const states = [shown, shown, { ...shown, open: 0 }, { ...shown, open: 0, end }];
    await each(({ show }) => states.forEach((state) => show?.(state)));
    const { titles, lines } = await each(({ show, close }) => {
      close?.();
      show?.(shown);
      close?.();
    });
    expect(titles).toEqual(['shell', '? 1 · demo', '1/3 · demo', '✗ demo', '', 'shell']);
    expect(lines).toEqual([]);
  });
});

describe('what is shown in the terminal', () => {
  it('is taken back while the terminal is somebody else’s, and shown again', async () => {
    const { each } = onTerminal({ TERM: 'xterm', WT_SESSION: 'x' });
    const { titles, progress } = await each(({ show, hide }) => {
      hide?.();
      show?.(shown);
      hide?.();
      hide?.();
      show?.(shown);
    });
    expect(titles).toEqual(['shell', '? 1 · demo', '', 'shell', '? 1 · demo']);
    expect(progress).toEqual(['4;33', '0;0', '4;33']);
  });
});

describe('progress', () => {
  it('is shown by a terminal that is known to, and taken back', async () => {
    const { each } = onTerminal({ WT_SESSION: 'x' });
    const states = [
      { ...shown, open: 0 },
      shown,
      { ...shown, end: { how: 'completed', why: '' } as const, done: 3 },
    ];
    const { progress, notifications } = await each(({ show, close }) => {
      states.forEach((state) => show?.(state));
      close?.();
    });
    expect(progress).toEqual(['1;33', '4;33', '1;100', '0;0']);
    expect(notifications).toEqual([]);
  });

  it.each([
    [{ KITTY_WINDOW_ID: '1' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFGsSyHNoSxF' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFGsSyHNoSxFP' }, true],
    [{ VTE_VERSION: '7600' }, false],
    [{ VTE_VERSION: '8001' }, true],
    [{ TERM_PROGRAM: 'ghostty', TMUX: 'x' }, false],
  ])('with %j: %j, since others would show it as notifications', async (env, isShown) => {
    const { progress } = await onTerminal(env).each(({ show }) => void show?.(shown));
    expect(progress.length > 0).toBe(isShown);
  });
});

it('nothing is written where there is no terminal', () => {
  const { notify } = configSchema.parse({});
  const open = openChannels(notify, undefined);
  expect(open).toEqual([]);
  expect(channels.map(({ name }) => name)).toEqual(['bell', 'desktop', 'title', 'progress']);
});
