import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readGatewaySettings } from '../src/gateway/session/gateway-settings.ts';
import { MANAGER_LIMITS } from '../src/gateway/server/manager-limits.ts';
import { TERM_GRACE_MS } from '../src/lib/processes/terminate.ts';
import { LINGER_MS } from '../src/runner/attempt/agent-process.ts';
import { DEFAULT_LIMITS } from '../src/runner/output/cast-writer.ts';
import { COMMIT_LIMIT_MS } from '../src/workflow/commit/commit-task.ts';
import { MAX_DIGESTED_BYTES } from '../src/lib/files/file-digest.ts';
import { VERIFY_LIMIT_MS } from '../src/workflow/verify/run-verify-command.ts';

const { listWaitMs, maxResultBytes } = readGatewaySettings({ env: {}, report: () => undefined });
const { attempts, firstDelayMs, longestDelayMs, healthyAfterMs, pingMs, stopGraceMs, maxMessageBytes } =
  MANAGER_LIMITS;
const MIB = 1024 * 1024;

it.each([
  ['supervision', 'everything it started, five seconds, SIGKILL', TERM_GRACE_MS, 5_000],
  ['supervision', 'has two seconds to take its leave', LINGER_MS, 2_000],
  ['definition-of-done', 'Each command may take ten minutes', VERIFY_LIMIT_MS, 600_000],
  ['definition-of-done', 'the commit takes longer than ten minutes', COMMIT_LIMIT_MS, 600_000],
  ['definition-of-done', 'larger than 32 MiB: its size and time', MAX_DIGESTED_BYTES, 32 * MIB],
  ['transcripts', 'a file of 16 MB is followed by', DEFAULT_LIMITS.segmentBytes, 16 * MIB],
  ['transcripts', 'Of more than 64 MB', DEFAULT_LIMITS.totalBytes, 64 * MIB],
  ['gateway', 'after 0.5 s, then after twice as long each time', firstDelayMs, 500],
  ['gateway', 'each time, 30 s at most', longestDelayMs, 30_000],
  ['gateway', 'After five attempts in a row', attempts, 5],
  ['gateway', 'One that was there for 30 s', healthyAfterMs, 30_000],
  ['gateway', 'does not answer a ping within 10 s', pingMs, 10_000],
  ['gateway', 'a message of more than 32 MiB', maxMessageBytes, 32 * MIB],
  ['gateway', '0.35 s later the group gets', stopGraceMs, 350],
  ['gateway', 'that are starting, 5 s at most', listWaitMs, 5_000],
  ['gateway', 'more than 262,144 bytes of JSON', maxResultBytes, 262_144],
])('docs/%s.md says "%s"', (page, words, limit, documented) => {
  const text = readFileSync(new URL(`../docs/${page}.md`, import.meta.url), 'utf8');
  expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
  expect(limit).toBe(documented);
});
