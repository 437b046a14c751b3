import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { decideAgentCall } from '../../gateway/permission/decide-agent-call.ts';
import { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import { agentKindSchema } from '../../gateway/permission/agent-call.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import type { Cli } from '../cli.ts';
import { findFolder } from '../input/find-folder.ts';
import { onProject } from '../project/on-project.ts';
import { decisionLines } from './decision-lines.ts';
import { uncounted } from '../mcp/mcp-errors.ts';
import { findMcpPlace } from '../mcp/mcp-place.ts';

/** A call of an agent's own tool, as it is told on the command line. */
export type PolicyJudgeOptions = {
  readonly command?: string;
  readonly path?: readonly string[];
  readonly host?: readonly string[];
  readonly agent?: string;
  readonly sprint?: string;
  readonly task?: string;
  readonly json?: true;
};

/**
 * Says what the policy would make of a call of an agent's own tool. Nothing is run.
 *
 * @throws {CliffordError} `KIND_UNKNOWN` for a kind that there is not.
 */
export async function policyJudge(cli: Cli, kind: string, options: PolicyJudgeOptions): Promise<void> {
  const { command, path: paths = [], host: hosts = [], sprint, task, json } = options;
  const known = agentKindSchema.safeParse(kind);
  if (!known.success) throw unknownKind(kind);
  const place = await findMcpPlace(cli);
  const { config } = await readConfig({ root: place.root, env: cli.env });
  const folder = await findFolder(place.root, { sprint, task });
  const stream = folder?.manifest.id ?? ADHOC_STREAM;
  const { decision, rule, reason } = await onProject(cli, place, async (project) => {
    await project.confirm(stream);
    // As they are read where an agent names them.
    const { named, readings, hasUnread } = filesInCall({ path: paths });
    const call = {
      agent: options.agent ?? config.agent ?? 'agent',
      kind: known.data,
      title: '',
      args: {},
      // No yes of a human is for it.
      digest: '',
      commands: command === undefined ? [] : [command],
      cwd: place.root,
      paths: [...named, ...readings],
      isUnclear: hasUnread,
      hosts,
      stream,
      taskId: task,
    };
    return decideAgentCall(project, call, new HeldPolicy({ root: place.root, env: cli.env }));
  });
  const notes = [...place.reading.warnings, ...uncounted(place.trust)];
  if (json) return cli.printJson({ kind, decision, rule, reason, notes });
  cli.printLines(decisionLines(cli, { decision, rule, reason }));
  notes.forEach(cli.note);
}

function unknownKind(kind: string): CliffordError {
  return new CliffordError(`Cannot judge ${visibleLine(kind)}: it is none of the kinds of calls`, {
    code: 'KIND_UNKNOWN',
    fix: `Use one of: ${agentKindSchema.options.join(', ')}`,
  });
}
