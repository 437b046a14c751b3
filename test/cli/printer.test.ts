import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createPrinter } from '../../src/cli/printer.ts';

/** A terminal that has colours, whatever the tests run in. */
function terminal(): NodeJS.WriteStream {
  const stream = Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 24 });
  return stream as unknown as NodeJS.WriteStream;
}

it.runIf(process.env['NO_COLOR'] === undefined)(
  'prints our colours, and shows those in a text of others',
  () => {
    const { style, printable } = createPrinter(terminal());
    const line = `${style('red', 'failed')} \u001B[32mdone\u001B[39m ${style(['bold', 'cyan'], 'a\u202Eb')}`;
    expect(printable(line)).toBe(
      '\u001B[31mfailed\u001B[39m \\u001b[32mdone\\u001b[39m \u001B[1m\u001B[36ma\\u202eb\u001B[39m\u001B[22m',
    );
  },
);

it('keeps newlines, tabs and joined emoji', () => {
  const text = 'a\n\tb 👨‍👩‍👧 ⚠️';
  expect(createPrinter(terminal()).printable(text)).toBe(text);
});
