import type { DesktopSequence } from './sequences.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether tmux is between us and the terminal. */
export function isInTmux(env: Env): boolean {
  return (env['TMUX'] ?? '') !== '';
}

/**
 * How the terminal shows a notification of the desktop, as far as its environment tells; `undefined`: it is not known to.
 * tmux hides which terminal it runs in, beside what that has left in the environment: most know the first of the sequences.
 */
export function desktopSequenceOf(env: Env): DesktopSequence | undefined {
  const { TERM = '', TERM_PROGRAM: program = '' } = env;
  const has = (name: string) => (env[name] ?? '') !== '';
  if (has('KITTY_WINDOW_ID') || TERM === 'xterm-kitty') return 'osc99';
  if (program === 'ghostty' || TERM === 'xterm-ghostty' || has('GHOSTTY_RESOURCES_DIR')) return 'osc777';
  if (program === 'WezTerm' || has('WEZTERM_PANE')) return 'osc777';
  if (/^(?:foot|rxvt-unicode)/.test(TERM) || has('VTE_VERSION')) return 'osc777';
  if (['iTerm.app', 'vscode', 'WarpTerminal'].includes(program) || env['LC_TERMINAL'] === 'iTerm2')
    return 'osc9';
  return isInTmux(env) ? 'osc9' : undefined;
}

/**
 * Whether the tab of the terminal is known to show progress. Others, such as kitty, would show each
 * step as a notification. Through tmux it could not be taken back from another window.
 */
export function showsProgress(env: Env): boolean {
  if (isInTmux(env)) return false;
  const { TERM = '', TERM_PROGRAM: program = '', VTE_VERSION: vte = '' } = env;
  return (
    ['ghostty', 'WezTerm', 'vscode'].includes(program) ||
    TERM === 'xterm-ghostty' ||
    (env['WT_SESSION'] ?? '') !== '' ||
    env['ConEmuANSI'] === 'ON' ||
    Number(vte) >= 7_900 ||
    // Among its features, each of which begins with a capital, is P.
    (program === 'iTerm.app' && /P(?![a-z\d])/.test(env['TERM_FEATURES'] ?? ''))
  );
}

/** Whether the terminal has a title: the console of Linux has none. */
export function hasTitle({ TERM }: Env): boolean {
  return TERM !== 'linux';
}
