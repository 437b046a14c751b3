import { CliffordError } from '../../errors.ts';
import { isDeeper } from '../../lib/json/json-value.ts';

/** Deeper arguments are no help to anybody, and each level costs a stack frame. */
const MAX_DEPTH = 200;

/** @throws {CliffordError} `ARGUMENTS_INVALID` for arguments that are nested too deeply to be looked at. */
export function requireShallow(name: string, args: unknown): void {
  if (!isDeeper(args, MAX_DEPTH)) return;
  throw new CliffordError(
    `Cannot call ${name.slice(0, 100)}: its arguments are nested more than ${MAX_DEPTH} deep`,
    { code: 'ARGUMENTS_INVALID', fix: 'Flatten the arguments and call it again' },
  );
}

/** Why a tool cannot be called that is none of these, where there are no others. */
export function unknownTool(name: string, tools: readonly string[]): CliffordError {
  return new CliffordError(`Cannot call ${name.slice(0, 100)}: there is no such tool`, {
    code: 'TOOL_UNKNOWN',
    fix: `The tools are ${tools.join(', ')}`,
  });
}
