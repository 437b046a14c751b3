import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { rememberedTools } from '../../gateway/call/known-tools.ts';
import { throughLinks } from '../../gateway/call/through-links.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import { PolicyGate, type GateExplanation } from '../../gateway/policy/policy-gate.ts';
import { believedAnnotations } from '../../gateway/tools/tool-annotations.ts';
import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import { definitionStanding } from '../../workflow/policy/pins.ts';
import type { Project } from '../../workflow/project/project.ts';
import { findFolder } from '../input/find-folder.ts';
import type { Cli } from '../cli.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { decisionLines } from './decision-lines.ts';
import { whyUntrusted } from '../mcp/mcp-errors.ts';
import { findMcpPlace, knownServer, type McpPlace } from '../mcp/mcp-place.ts';
import { onProject } from '../project/on-project.ts';
import { reach } from '../mcp/reach.ts';
import { readArgs } from '../mcp/read-args.ts';
import { withServers } from '../mcp/with-servers.ts';

export type PolicyTestOptions = {
  readonly args?: string;
  readonly sprint?: string;
  readonly task?: string;
  readonly json?: true;
};

/** Says what the policy would make of a call, and why. The call is not made. */
export async function policyTest(
  cli: Cli,
  serverId: string,
  toolName: string,
  options: PolicyTestOptions,
): Promise<void> {
  const { json, sprint, task } = options;
  const args = await readArgs(cli, options.args);
  const place = await findMcpPlace(cli);
  const config = knownServer(place.reading, serverId);
  const folder = await findFolder(place.root, { sprint, task });
  const found = await onProject(cli, place, async (project) => {
    const known = await knownTools(cli, { place, config, project });
    if (!known) return undefined;
    const { tools, notes } = known;
    const tool = tools.find(({ name }) => name === toolName);
    const digest = tool?.digest;
    const { policy } = place.reading;
    const stream = folder?.manifest.id ?? ADHOC_STREAM;
    await project.confirm(stream);
    const explained = new PolicyGate(policy, project.state.policyRules, {
      root: place.root,
      throughLinks,
    }).explain({
      serverId,
      toolName,
      args,
      annotations: tool && believedAnnotations(tool.definition, config.trust),
      stream,
      taskId: task,
      definition:
        digest === undefined
          ? 'new'
          : definitionStanding(project.state.pins, { server: serverId, tool: toolName, digest }),
      definitionDigest: digest,
      cwd: config.transport === 'stdio' ? config.cwd : null,
    });
    const missing = tool ? [] : [unknownTool(serverId, visibleLine(toolName), tools.length > 0)];
    return { explained, notes: [...notes, ...missing, ...placeNotes(place, config)] };
  });
  if (!found) return;
  const { explained, notes } = found;
  if (json) return cli.printJson({ server: serverId, tool: toolName, ...explained, notes });
  cli.printLines(explanationLines(cli, explained));
  notes.forEach(cli.note);
}

function unknownTool(serverId: string, tool: string, areKnown: boolean): string {
  return areKnown
    ? `${serverId} has no tool ${tool}, as far as is known`
    : `${serverId} was started for no agent and no call yet, so whether it has a tool ${tool} is not in the log; ` +
        `what it has is shown by clifford mcp inspect ${serverId}`;
}

function explanationLines(cli: Pick<Cli, 'style' | 'stdout'>, explained: GateExplanation): string[] {
  const width = lineWidth(cli);
  const others = explained.rules.filter(({ rule: label }) => label !== explained.rule);
  return [
    ...decisionLines(cli, explained),
    ...(others.length === 0 ? [] : ['other rules']),
    ...others.flatMap(({ rule: label, decision: word, applies, why = '' }) =>
      paragraph('  ', visibleLine(`${label}: ${applies ? `${word}, too` : `not ${word}, ${why}`}`), width),
    ),
  ];
}

function placeNotes({ trust }: McpPlace, { id, disabled }: McpServerConfig): string[] {
  return [
    ...(disabled ? [`${id} is disabled in mcp.json: it has no calls`] : []),
    ...(trust.is === 'trusted' ? [] : [`mcp.json is not in effect yet: ${whyUntrusted(trust)}`]),
  ];
}

/** The tools as they are known. A server is asked only when the decision may hang on what it says of them. */
async function knownTools(
  cli: Cli,
  { place, config, project }: { place: McpPlace; config: McpServerConfig; project: Project },
): Promise<{ tools: readonly DownstreamTool[]; notes: readonly string[] } | undefined> {
  const tools = await rememberedTools(project, config.id);
  const { reading, trust } = place;
  if (tools.length > 0 || config.trust !== 'full' || !hangsOnAnnotations(reading.policy))
    return { tools, notes: [] };
  if (trust.is !== 'trusted' || config.disabled)
    return { tools, notes: [`what ${config.id} says of its tools is not known: it was not started`] };
  const found = await withServers(cli, place, ({ manager }) => reach(manager, config));
  if (!found) return undefined;
  const { isReady, problem = '' } = found;
  const notes = isReady ? [] : [`what ${config.id} says of its tools is not known: ${visibleLine(problem)}`];
  return { tools: found.tools, notes };
}

function hangsOnAnnotations(policy: McpPlace['reading']['policy']): boolean {
  return 'rules' in policy && policy.rules.some(({ annotations }) => annotations !== undefined);
}
