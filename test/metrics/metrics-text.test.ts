import { expect, it } from 'vitest';
import { Histogram } from '../../src/metrics/histogram.ts';
import { byLabel, counter, gauge } from '../../src/metrics/metric.ts';
import { metricsText } from '../../src/metrics/metrics-text.ts';

it('writes what a metric is before its values', () => {
  expect(metricsText([gauge('depth', 'How deep.', 2.5), counter('seen_total', 'What was seen.', 3)])).toBe(
    '# HELP depth How deep.\n# TYPE depth gauge\ndepth 2.5\n' +
      '# HELP seen_total What was seen.\n# TYPE seen_total counter\nseen_total 3\n',
  );
});

it('escapes what would end a line or a value', () => {
  const values = new Map([['a"b\\c\nd', 1]]);
  expect(metricsText([byLabel({ name: 'x', type: 'gauge', help: 'One\nline \\ "so".' }, 'of', values)])).toBe(
    '# HELP x One\\nline \\\\ "so".\n# TYPE x gauge\nx{of="a\\"b\\\\c\\nd"} 1\n',
  );
});

it('counts in each bucket of a histogram what the smaller ones have, too', () => {
  const histogram = new Histogram({ name: 'wait_seconds', help: 'Waits.' }, [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) histogram.add(value);
  expect(metricsText([histogram.metric()]).split('\n').slice(2)).toEqual([
    'wait_seconds_bucket{le="0.1"} 2',
    'wait_seconds_bucket{le="1"} 3',
    'wait_seconds_bucket{le="+Inf"} 4',
    'wait_seconds_sum 7.65',
    'wait_seconds_count 4',
    '',
  ]);
});
