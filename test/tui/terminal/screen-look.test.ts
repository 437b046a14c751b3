import { describe, expect, it } from 'vitest';
import { lookIn, writtenAs } from '../../../src/tui/terminal/screen-look.ts';

const look = (env: Record<string, string>, asked?: Parameters<typeof lookIn>[1]) => lookIn(env, asked);

describe('the look of a screen', () => {
  it.each([
    [{}, undefined, 'own'],
    [{ NO_COLOR: '1' }, undefined, 'none'],
    [{ NO_COLOR: '' }, undefined, 'own'],
    [{ CLIFFORD_THEME: 'light' }, undefined, 'light'],
    [{ CLIFFORD_THEME: 'pink' }, undefined, 'own'],
    [{ COLORFGBG: '0;15' }, undefined, 'light'],
    [{ COLORFGBG: '15;0' }, undefined, 'own'],
    [{ NO_COLOR: '1' }, 'dark', 'dark'],
    [{ COLORFGBG: '0;15' }, 'auto', 'light'],
  ] as const)('with %j and --theme %s: %s', (env, theme, expected) => {
    expect(look(env, { theme }).theme).toBe(expected);
  });

  it.each([
    [{}, undefined],
    [{ LANG: 'en_US.UTF-8' }, undefined],
    [{ LANG: 'de_DE.ISO-8859-1' }, 'all'],
    [{ LANG: 'C.UTF-8', LC_ALL: 'C' }, 'all'],
    [{ CLIFFORD_ASCII: '1', LANG: 'C.UTF-8' }, 'signs'],
    [{ CLIFFORD_ASCII: '0', LANG: 'C' }, undefined],
  ] as const)('with %j has ASCII for: %s', (env, expected) => {
    expect(look(env).ascii).toBe(expected);
  });

  it.each([
    [{ TERM: 'xterm-256color' }, 'dark'],
    [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'quiet dark'],
    [{ TERM: 'xterm-kitty', COLORFGBG: '0;15' }, 'quiet light'],
    [{ TERM: 'xterm', FORCE_COLOR: '2' }, 'dark'],
    [{ TERM: 'xterm', FORCE_COLOR: '3' }, 'quiet dark'],
    [{ TERM: 'xterm-256color', COLORFGBG: '0;15' }, 'light'],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'words'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '1' }, 'words'],
    [{ TERM: 'xterm' }, 'words'],
    [{ TERM: 'linux' }, 'words'],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'words'],
  ] as const)('with %j differences stand out by: %s', (env, expected) => {
    expect(look(env).diff).toBe(expected);
  });

  it('stands still where that is wished', () => {
    expect(look({}).isStill).toBe(false);
    expect(look({ CLIFFORD_REDUCED_MOTION: '1' }).isStill).toBe(true);
    expect(look({ CLIFFORD_REDUCED_MOTION: '0' }).isStill).toBe(false);
  });
});

describe('what is written to the terminal', () => {
  const frame =
    '\u001B[1m\u001B[33m■ blocked\u001B[39m\u001B[22m \u001B[2;36m─\u001B[0m \u001B[38;5;9mx\u001B[48;2;1;2;3my';

  it('is what is drawn, in the colours of the terminal', () => {
    expect(writtenAs(look({}))).toBeUndefined();
  });

  it('has no colour, and all that is bold or faint, without colours', () => {
    const written = writtenAs(look({ NO_COLOR: '1' }));
    expect(written?.(frame)).toBe('\u001B[1m■ blocked\u001B[22m \u001B[2m─\u001B[0m xy');
  });

  it('has colours that can be read on light', () => {
    const written = writtenAs(look({}, { theme: 'light' }));
    expect(written?.(frame)).toContain('\u001B[1m\u001B[35m■ blocked\u001B[39m\u001B[22m \u001B[2;34m─');
  });

  it.each(['dark', 'light'])('keeps a colour that is one of 256, or of all, on %s', (theme) => {
    const write = writtenAs(lookIn({ CLIFFORD_THEME: theme }));
    const text = '\u001B[1;48;5;34mx\u001B[38;5;31my\u001B[38;2;33;36;93mz';
    expect(write?.(text)).toBe(text);
  });

  it('has none but ASCII where nothing else is shown', () => {
    const written = writtenAs(look({ LANG: 'C' }));
    expect(written?.(frame)).toContain('\u001B[1m\u001B[33m# blocked\u001B[39m');
  });
});

describe('the mouse', () => {
  const [enter, leave] = ['\u001B[?1049h', '\u001B[?1049l'];

  it('is left to the terminal, unless a person wants it', () => {
    expect(look({}).hasMouse).toBe(false);
    expect(look({ CLIFFORD_MOUSE: '1' }).hasMouse).toBe(true);
    expect(look({ CLIFFORD_MOUSE: '0' }).hasMouse).toBe(false);
    expect(look({}, { mouse: true }).hasMouse).toBe(true);
  });

  it('is ours from entering the screen until leaving it, whenever that is', () => {
    const written = writtenAs(look({}, { mouse: true }));
    expect(written?.(enter)).toBe(`${enter}\u001B[?1000h\u001B[?1006h`);
    expect(written?.(leave)).toBe(`\u001B[?1006l\u001B[?1000l${leave}`);
    expect(written?.('x')).toBe('x');
  });
});
