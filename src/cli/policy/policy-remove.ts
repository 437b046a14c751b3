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

/** An id, or a unique beginning of one. */
function idOf({ state }: Project, named: string): string {
  const ids = state.policyRules.map(({ id }) => id);
  const [first, second] = ids.filter((id) => id.startsWith(named));
  if (second !== undefined && !ids.includes(named)) {
    throw new CliffordError(`Cannot tell which rule ${named} is meant: several ids begin with it`, {
      code: 'RULE_UNCLEAR',
      fix: 'Give more characters of the id: clifford policy list',
    });
  }
  if (ids.includes(named)) return named;
  if (first !== undefined && named !== '') return first;
  throw new CliffordError(`Cannot remove rule ${named}: no rule with that id was granted by a human`, {
    code: 'RULE_UNKNOWN',
    fix: 'See what was granted with: clifford policy list. Rules of mcp.json are changed there',
  });
}
