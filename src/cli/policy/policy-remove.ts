import { CliffordError } from '../../errors.ts';
import { removeRule } from '../../workflow/policy/remove-rule.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { withProject } from '../project/with-project.ts';

/** Revokes what a human allowed for more than one call. */
export async function policyRemove(cli: Cli, named: string, { json }: { json?: true }): Promise<void> {
  await withProject(cli, async (project) => {
    const rule = await removeRule(project, idOf(project, named), { by: decider(cli, project) });
    const { recordedIn: _where, ...removed } = rule;
    if (json) return cli.printJson({ removed });
    const what = `${rule.callDigest === undefined ? '' : 'that call of '}${rule.server}/${rule.tool}`;
    cli.print(visibleLine(`removed ${rule.id}: ${what} is judged by mcp.json again`));
  });
}

/** So much of an id has to be given: less may be a slip, and is taken back with no way to undo it. */
const LEAST_DIGITS = 4;

/** So many ids are named that may be meant. */
const MAX_CANDIDATES = 8;

/** An id, or a unique beginning of one. */
function idOf({ state }: Project, named: string): string {
  const ids = state.policyRules.map(({ id }) => id);
  if (ids.includes(named)) return named;
  const meant = ids.filter((id) => id.startsWith(named));
  const [first, second] = meant;
  const isShort = named.replace(/^r?-?/, '').replaceAll('-', '').length < LEAST_DIGITS;
  if (first !== undefined && (isShort || second !== undefined)) {
    const why = isShort ? `it takes ${LEAST_DIGITS} digits of the id` : 'several ids begin with it';
    const more = meant.length > MAX_CANDIDATES ? `, and ${meant.length - MAX_CANDIDATES} more` : '';
    throw new CliffordError(`Cannot tell which rule ${visibleLine(named)} is meant: ${why}`, {
      code: 'RULE_UNCLEAR',
      fix: `Give more of the id. It may be ${meant.slice(0, MAX_CANDIDATES).join(', ')}${more}: see clifford policy list`,
    });
  }
  if (first !== undefined) return first;
  throw new CliffordError(`Cannot remove rule ${named}: no rule with that id was granted by a human`, {
    code: 'RULE_UNKNOWN',
    fix: 'See what was granted with: clifford policy list. Rules of mcp.json are changed there',
  });
}
