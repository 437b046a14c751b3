import { createTwoFilesPatch } from 'diff';
import type { Cli } from '../cli.ts';
import { visible } from '../../lib/text/visible.ts';
import type { Change } from './finding.ts';

/** A change as people know it from git, coloured where there are colours. */
export function unifiedDiff({ shown, before, after }: Change, style: Cli['style']): string[] {
  const from = before === undefined ? '/dev/null' : `a/${shown}`;
  const patch = createTwoFilesPatch(from, `b/${shown}`, before ?? '', after, '', '', { context: 3 });
  return patch
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('====='))
    .map((line) => {
      const text = visible(line.trimEnd());
      if (/^(\+\+\+|---) /.test(line)) return style('bold', text);
      if (line.startsWith('@@')) return style('cyan', text);
      if (line.startsWith('+')) return style('green', text);
      return line.startsWith('-') ? style('red', text) : text;
    });
}
