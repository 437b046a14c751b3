import { problemText, type ConfigProblem } from '../../workflow/config/config-problem.ts';
import { digestOf } from '../../lib/digest.ts';
import type { McpConfigReading, TrustDigests } from './mcp-config-reading.ts';
import { DEFAULT_POLICY } from './policy-config.ts';

/** A file of which nothing can be used: no server, and a policy that refuses. */
export function unreadableFile(file: string, problem: ConfigProblem): McpConfigReading {
  const policy = { unreadable: problemText(problem) };
  return { ...withoutServers(file, problem.rule), exists: true, policy, problems: [problem] };
}

/** Where there is no file: no server, and a human is asked about every call. */
export function withoutFile(file: string): McpConfigReading {
  return withoutServers(file, null);
}

/** The digests of a file as one. */
export function wholeDigest({ servers, policy }: TrustDigests): string {
  return digestOf([[...servers].toSorted(([a], [b]) => (a < b ? -1 : 1)), policy]);
}

function withoutServers(file: string, policyText: string | null): McpConfigReading {
  const digests = { servers: new Map<string, string>(), policy: digestOf(policyText) };
  return {
    file,
    exists: false,
    servers: [],
    misconfigured: [],
    shown: [],
    policy: DEFAULT_POLICY,
    problems: [],
    warnings: [],
    digests,
    digest: wholeDigest(digests),
  };
}
