import { isJsonObject } from '../../lib/json/json-object.ts';
import type { AcpCall } from './acp-call.ts';

/** How agents name the exit code of a command. One that has not run has none, or one below 0. */
const exitFields = ['exit_code', 'exitCode', 'exit'];

/** How deep in what came of a call one is looked for: `metadata.exit`, `contents[0].exitCode`. */
const MAX_LEVELS = 3;

/**
 * Whether a call that its agent calls failed has run all the same: there is the exit code of a command. What an agent
 * refuses by itself, or is refused, has failed, too, and has none: of one it says so in words only.
 */
export function showsItRan({ rawOutput, _meta }: AcpCall): boolean {
  if (typeof rawOutput === 'string') return /^Exit code \d+\b/.test(rawOutput);
  return hasExitCode(rawOutput, MAX_LEVELS) || hasExitCode(_meta, MAX_LEVELS);
}

function hasExitCode(value: unknown, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.some((each) => hasExitCode(each, levels));
  if (!isJsonObject(value)) return false;
  const isCode = (code: unknown) => typeof code === 'number' && Number.isInteger(code) && code >= 0;
  return (
    exitFields.some((name) => isCode(value[name])) ||
    Object.values(value).some((each) => hasExitCode(each, levels - 1))
  );
}
