import { describe, expect, it } from 'vitest';
import { remarkRows } from '../../../src/tui/text/remark.ts';

const rows = (texts: string[], columns: number, most: number) =>
  remarkRows(
    texts.map((text) => ({ text })),
    { columns, most },
  ).map(({ text }) => text);

describe('remarkRows', () => {
  const asked = 'What becomes of the run? q stops 1 agent, g goes on without the screen';

  it('breaks what there is no room for in a row between words', () => {
    expect(rows([asked], 40, 2)).toEqual([
      'What becomes of the run? q stops 1',
      'agent, g goes on without the screen',
    ]);
  });

  it('marks what there is no room for at all, and gives the first remarks what room there is', () => {
    expect(rows([asked, 'Another'], 40, 1)).toEqual(['What becomes of the run? q stops 1 …']);
    expect(rows([asked, 'Another'], 40, 3).at(-1)).toBe('Another');
    expect(rows(['word '.repeat(40), 'Another'], 40, 9)).toEqual([
      'word word word word word word word',
      'word word word word word word word',
      'word word word word word word word …',
      'Another',
    ]);
  });

  it('shows a command whole, over as many rows as there are, or its end in one row', () => {
    const copied = {
      text: 'Copied: ',
      tail: '/usr/bin/node /home/ada/clifford/dist/cli.js replay demo --at 14',
    };
    expect(remarkRows([copied], { columns: 90, most: 2 })).toEqual([{ text: copied.text + copied.tail }]);
    expect(remarkRows([copied], { columns: 40, most: 3 })).toEqual([
      { text: 'Copied: /usr/bin/node' },
      { text: '/home/ada/clifford/dist/cli.js replay' },
      { text: 'demo --at 14' },
    ]);
    expect(remarkRows([copied], { columns: 40, most: 2 })).toEqual([
      { text: 'Copied: …st/cli.js replay demo --at 14' },
    ]);
  });

  it('goes on below what stands deeper', () => {
    expect(rows(['From event 3:', '  docs failed twice: no parser was found'], 28, 9)).toEqual([
      'From event 3:',
      '  docs failed twice: no',
      '    parser was found',
    ]);
  });
});
