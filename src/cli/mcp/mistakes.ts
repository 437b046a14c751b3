import type { McpConfigProblem, McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import { placeText } from '../../workflow/config/config-problem.ts';
import { documentation } from '../../package-file.ts';

/** Whether a mistake is a variable that is not set here. It may be set where the server will run. */
export function isUnset({ isVariable, rule }: McpConfigProblem): boolean {
  return isVariable === true && rule.endsWith('which is not set');
}

/** What to do about a mistake in `mcp.json`. */
export function fixOf(problem: McpConfigProblem): string {
  return isUnset(problem)
    ? 'Set it in the environment of whatever starts Clifford, or give it a default: ${NAME:-text}'
    : `Correct it; ${documentation('gateway')} describes every key`;
}

/** A mistake as a clause, with its place behind it. */
export function clauseOf({ file, place, rule }: McpConfigProblem): string {
  return `${rule} (${placeText(file, place)})`;
}

/** What keeps the file as a whole from being read, if anything does: then it has neither servers nor a policy. */
export function wholeMistake({ problems }: McpConfigReading): McpConfigProblem | undefined {
  return problems.find(({ serverId, path }) => serverId === undefined && path === undefined);
}
