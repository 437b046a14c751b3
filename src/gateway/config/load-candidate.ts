import { readSmallFile } from '../../lib/files/small-file.ts';
import type { KnownServer } from '../policy/rule-problems.ts';
import { unreadableFile } from './empty-reading.ts';
import type { McpConfigReading } from './mcp-config-reading.ts';
import { parseMcpConfig } from './parse-mcp-config.ts';
import { DEFAULT_POLICY } from './policy-config.ts';

/** A policy that somebody thinks of, written as in `mcp.json`, and where it stands. */
export type Candidate = {
  /** Absolute, or what to call it where it is no file. */
  readonly file: string;
  /** What was read already. Without it the file is read. */
  readonly text?: string;
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Servers that its rules may name: a file for a policy alone has none. */
  readonly otherServers: readonly KnownServer[];
};

/** Reads a policy that is not in force. Never throws: one with a mistake is unreadable. */
export async function loadCandidate({ text, ...source }: Candidate): Promise<McpConfigReading> {
  const { file } = source;
  const bytes = text ?? (await readSmallFile(file));
  const refuse = (rule: string) => unreadableFile(file, { file, rule });
  if (bytes === undefined) return refuse('there is no such file');
  if (typeof bytes === 'object' && 'refused' in bytes) return refuse(bytes.refused);
  if (bytes.toString().trim() === '') return refuse('there is nothing in it');
  const reading = parseMcpConfig(source, bytes.toString());
  if (reading.policy !== DEFAULT_POLICY) return reading;
  return refuse('it has no policy, as in { "policy": { "rules": [ … ] } }');
}
