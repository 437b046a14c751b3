import { describe, expect, it, vi } from 'vitest';
import { createAgentOutput, type AgentOutput } from '../../../src/tui/text/agent-output.ts';
import type { Span } from '../../../src/tui/text/spans.ts';

/** Its lines, as text. */
function textsOf(output: AgentOutput, task?: string): string[] | undefined {
  return output.read(task)?.lines.map(({ line }) => line.spans.map(({ text }) => text).join(''));
}

describe('agent output', () => {
  it('joins chunks that end inside a line or an escape sequence', () => {
    const output = createAgentOutput();
    for (const chunk of ['one \u001B[3', '1mred\u001B[0m\ntw', 'o']) output.append('parser', chunk);
    expect(output.read()).toMatchObject({ task: 'parser', lines: [{ at: 0 }, { at: 1 }] });
    expect(textsOf(output)).toEqual(['one red', 'two']);
  });

  it('shows the task that wrote last, and each task by name', () => {
    const output = createAgentOutput();
    output.append('parser', 'p\n');
    output.append('docs', 'd\n');
    expect(output.read()?.task).toBe('docs');
    expect(textsOf(output, 'parser')).toEqual(['p']);
    expect(output.read('release')).toBeUndefined();
  });

  it('keeps the last lines, which keep their numbers, below how many there were before', () => {
    const output = createAgentOutput({ maxLines: 2 });
    for (let line = 0; line < 5; line += 1) output.append('parser', `${line}\n`);
    expect(output.read()).toMatchObject({ task: 'parser', lines: [{ at: 2 }, { at: 3 }, { at: 4 }] });
    expect(textsOf(output)).toEqual(['… 3 earlier lines: clifford export <run>', '3', '4']);
  });

  it('keeps the tail of a line that never ends', () => {
    const output = createAgentOutput();
    for (let chunk = 0; chunk < 100; chunk += 1) output.append('parser', 'x'.repeat(1_000));
    output.append('parser', 'end');
    const [line = ''] = textsOf(output) ?? [];
    expect(line.length).toBeLessThanOrEqual(4_000);
    expect(line.endsWith('xend')).toBe(true);
    expect(line[0]).toBe('…');
  });

  it.each([
    ['as it came', ''],
    ['in colours', '\u001B[31m'],
    ['as it came, of a line longer than is kept', '', 9_000],
  ])('has no end of a line look like the beginning of one: %s', (_, colour, more = 0) => {
    const output = createAgentOutput();
    const call = `▸ ls ${'x'.repeat(3_995)}`;
    output.append('parser', `${colour}${'-'.repeat(10 + more)}`);
    output.append('parser', `${call}\n${colour}${call}`);
    const [cut = '', whole] = textsOf(output) ?? [];
    expect([cut.length, cut.slice(0, 4), cut.slice(1)]).toEqual([4_000, '… ls', call.slice(1)]);
    expect(whole).toBe(call);
  });

  it('says what is ours on a line of its own, in no colour of an agent', () => {
    const output = createAgentOutput();
    output.append('parser', '\u001B[31mbroken');
    output.note('parser', '── attempt 2 ──');
    output.append('parser', 'anew');
    const spans = output.read()?.lines.flatMap(({ line }) => line.spans);
    expect(spans).toEqual([
      { text: 'broken', style: 'plain', own: expect.objectContaining({ color: 'red' }) },
      { text: '── attempt 2 ──', style: 'dim' },
      { text: 'anew', style: 'plain', own: undefined },
    ]);
  });

  it('has what an agent stresses stand out, but in colours of its own', () => {
    const output = createAgentOutput();
    output.append('parser', 'It is **done**.\n\u001B[31m**red**');
    const [first, second] = output.read()?.lines.map(({ line }) => line.spans) ?? [];
    expect(first).toContainEqual({ text: 'done', style: 'bold' });
    expect(second).toMatchObject([{ text: '**red**', style: 'plain' }]);
  });

  it('tells until the listener leaves', () => {
    const output = createAgentOutput();
    const listener = vi.fn<() => void>();
    const leave = output.subscribe(listener);
    output.append('parser', 'a');
    output.append('parser', '');
    leave();
    output.append('parser', 'b');
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('the colours of an agent', () => {
  /** What is shown of these chunks: a list for each line, of texts and how they look. */
  const shown = (...chunks: string[]) => {
    const output = createAgentOutput();
    for (const chunk of chunks) output.append('parser', chunk);
    return (output.read()?.lines ?? []).map(({ line }) => line.spans.map(looks));
  };
  const looks = ({ text, own }: Span): string => {
    const set = Object.entries(own ?? {}).flatMap(([name, value]) =>
      value === true ? [name] : typeof value === 'string' ? [value] : [],
    );
    return set.length === 0 ? text : `${text}: ${set.join(' ')}`;
  };

  it('keeps the 16 colours and bold, dim, italic and underlined', () => {
    expect(
      shown('\u001B[32mok\u001B[39m \u001B[1;4mbold\u001B[22m under\u001B[0m \u001B[2mdim \u001B[3mslanted'),
    ).toEqual([
      [
        'ok: green',
        ' ',
        'bold: bold underline',
        ' under: underline',
        ' ',
        'dim : dim',
        'slanted: dim italic',
      ],
    ]);
    expect(
      shown(
        '\u001B[91mbright\u001B[m \u001B[38;5;4mtable\u001B[23;24;39m \u001B[38:5:5mcolons\u001B[4:3mwaves\u001B[4:0m',
      ),
    ).toEqual([
      ['bright: redBright', ' ', 'table: blue', ' ', 'colons: magenta', 'waves: magenta underline'],
    ]);
  });

  it('goes on with a colour in the next chunk and the next line', () => {
    expect(shown('\u001B[3', '3mtwo\nlines', '\u001B[0m plain\nrest')).toEqual([
      ['two: yellow'],
      ['lines: yellow', ' plain'],
      ['rest'],
    ]);
  });

  it('ends where a line begins with a reset, which is marked as one without colours is', () => {
    const [, call] = shown('\u001B[33mtwo\n', '\u001B[0m▸ Bash `ls`\n', 'more');
    expect(call).toEqual(shown('▸ Bash `ls`\n')[0]);
    expect(shown('\u001B[33mtwo\n\u001B[0m▸ Bash\nmore').at(-1)).toEqual(['more']);
  });

  it('keeps what sets a colour out of sight, where a line that never ends is cut', () => {
    // The cut is made inside of the second sequence.
    const [line = []] = shown('a'.repeat(4_003), '\u001B[31m', 'b'.repeat(3_998), '\u001B[0mc');
    expect(line.join('')).toMatch(/^…b+: redc$/);
  });

  it.each([
    ['conceal', '\u001B[8mhidden'],
    ['blinking', '\u001B[5;6mhidden'],
    ['inverse', '\u001B[7mhidden'],
    ['a background', '\u001B[41;107mhidden'],
    ['black and white, one of which no terminal shows', '\u001B[30mhid\u001B[97mden'],
    ['a colour of its own', '\u001B[38;2;1;31;4mhidden'],
    ['a colour of the larger table', '\u001B[38;5;231mhid\u001B[48;5;1mden'],
    ['an underline in a colour', '\u001B[58;5;1mhidden'],
    ['a cursor that moves', '\u001B[3;31Hhid\u001B[1Aden'],
    ['a link', '\u001B]8;;https://example.com\u001B\\hidden\u001B]8;;\u001B\\'],
    ['a title with a colour in it', '\u001B]0;a\u001B[31mb\u0007hidden'],
    ['a private mode that ends like a colour', '\u001B[?31mhid\u001B[>4;2mden'],
    ['a control of one character', '\u009B31mhidden'],
  ])('has no %s', (_, raw) => {
    expect(shown(raw).map((line) => line.join(''))).toEqual(['hidden']);
  });

  it('gives up the colours of a line that is another one without them', () => {
    // Each part has no more marks than it may have, all together has.
    const marks = '\u0301'.repeat(4);
    expect(shown(`a${marks}\u001B[31m${marks}`)).toEqual([[`a${marks}`]]);
  });

  it('shows what a line was written over with, in the colours of that', () => {
    expect(shown('\u001B[31m10 %\r\u001B[32m20 %\r\n\u001B[1mnext')).toEqual([
      ['20 %: green'],
      ['next: green bold'],
    ]);
  });
});
