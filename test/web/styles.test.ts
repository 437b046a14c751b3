import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const web = join(import.meta.dirname, '../../src/web');

/** Names that are put together: a tone of a state, how great a risk is, a colour of a terminal, a part of a bar, what a line of output is, a fact of a task. */
const MADE = /^(?:tone|risk|ansi|part)-|^is-(?:said|printed|call|result)$|^task-(?:agent|attempt|cost)$/;

it('names no class that nothing on the page or in a report has', () => {
  const files = ['page', 'report'].flatMap((room) =>
    readdirSync(join(web, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  );
  const textOf = (ending: RegExp) =>
    files
      .filter((file) => ending.test(file))
      .map((file) => readFileSync(join(web, file), 'utf8'))
      .join('\n');
  const styles = textOf(/\.css$/).replaceAll(/\/\*[^]*?\*\//g, '');
  const named = new Set([...styles.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(([, name = '']) => name));
  expect(named.size).toBeGreaterThan(150);
  const words = new Set(textOf(/\.(?:tsx?|html)$/).match(/[\w-]+/g));
  expect([...named].filter((name) => !MADE.test(name) && !words.has(name))).toEqual([]);
});
