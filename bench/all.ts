import { spawnSync } from 'node:child_process';
import { chromiumPath } from '../test/web/page/browser.ts';
import { findNatsServer } from '../test/helpers/nats-binary.ts';

/** Runs every bench, also after one that missed its figures: `npm run bench`. */
const benches = [
  ['append.ts'],
  ['read.ts'],
  ...(findNatsServer() ? [['jetstream.ts'], ['far-writers.ts'], ['far-project.ts'], ['far-log.ts']] : []),
  ['fold.ts', '3'],
  ['seek.ts', '3'],
  ['answer.ts'],
  ['mcp-start.ts'],
  ['gateway.ts'],
  ['acp.ts'],
  ['tui.ts'],
  ['busy-run.ts'],
  ['idle.ts'],
  ['parallel.ts'],
  ['overview.ts'],
  ['palette.ts'],
  ['web.ts'],
  ['web-messages.ts'],
  ...(chromiumPath ? [['page-past.ts'], ['pages.ts']] : []),
  ['scrub.ts', '--minutes', '1'],
];
for (const [program = '', ...args] of benches) {
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${program}`, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
