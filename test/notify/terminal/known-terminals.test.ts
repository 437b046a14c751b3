import { describe, expect, it } from 'vitest';
import { desktopSequenceOf, hasTitle, showsProgress } from '../../../src/notify/terminal/known-terminals.ts';

describe('a terminal is known by its environment', () => {
  it.each([
    ['kitty', { KITTY_WINDOW_ID: '1' }, 'osc99'],
    ['kitty, over ssh', { TERM: 'xterm-kitty' }, 'osc99'],
    ['Ghostty', { TERM_PROGRAM: 'ghostty' }, 'osc777'],
    ['Ghostty, over ssh', { TERM: 'xterm-ghostty' }, 'osc777'],
    ['Ghostty, in tmux', { TERM: 'tmux-256color', TMUX: 'x', GHOSTTY_RESOURCES_DIR: '/r' }, 'osc777'],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm' }, 'osc777'],
    ['WezTerm, in tmux', { TERM_PROGRAM: 'tmux', TMUX: 'x', WEZTERM_PANE: '0' }, 'osc777'],
    ['foot', { TERM: 'foot-extra' }, 'osc777'],
    ['urxvt', { TERM: 'rxvt-unicode-256color' }, 'osc777'],
    ['a terminal of GNOME', { TERM: 'xterm-256color', VTE_VERSION: '7802' }, 'osc777'],
    ['iTerm2', { TERM_PROGRAM: 'iTerm.app' }, 'osc9'],
    ['iTerm2, over ssh', { LC_TERMINAL: 'iTerm2' }, 'osc9'],
    ['the one of VS Code', { TERM_PROGRAM: 'vscode' }, 'osc9'],
    ['Warp', { TERM_PROGRAM: 'WarpTerminal' }, 'osc9'],
    ['any in tmux', { TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' }, 'osc9'],
    ['xterm', { TERM: 'xterm-256color', KITTY_WINDOW_ID: '', TMUX: '' }, undefined],
    ['one whose name only ends so', { TERM: 'not-foot' }, undefined],
  ])('to show notifications: %s', (_name, env, sequence) => {
    expect(desktopSequenceOf(env)).toBe(sequence);
  });

  it.each([
    ['Ghostty', { TERM_PROGRAM: 'ghostty' }],
    ['Ghostty, over ssh', { TERM: 'xterm-ghostty' }],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm' }],
    ['the one of VS Code', { TERM_PROGRAM: 'vscode' }],
    ['the one of Windows', { WT_SESSION: 'x' }],
    ['ConEmu', { ConEmuANSI: 'ON' }],
    ['a terminal of GNOME since 0.79', { VTE_VERSION: '7900' }],
    [
      'iTerm2 that names progress among its features',
      { TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3PLrSc7' },
    ],
  ])('to show progress: %s, and not through tmux', (_name, env) => {
    expect(showsProgress(env)).toBe(true);
    expect(showsProgress({ ...env, TMUX: '/tmp/tmux-0/default,1,0' })).toBe(false);
  });

  it.each([
    ['kitty', { KITTY_WINDOW_ID: '1', TERM: 'xterm-kitty' }],
    ['an older terminal of GNOME', { VTE_VERSION: '7899' }],
    ['iTerm2 without', { TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3PrSc7' }],
    ['what has such features and is another', { TERM_FEATURES: 'P' }],
    ['xterm', { TERM: 'xterm', WT_SESSION: '', ConEmuANSI: 'OFF' }],
  ])('not to show progress: %s', (_name, env) => {
    expect(showsProgress(env)).toBe(false);
  });

  it('to have a title, but for the console of Linux', () => {
    expect([{}, { TERM: 'xterm' }, { TERM: 'linux' }].map(hasTitle)).toEqual([true, true, false]);
  });
});
