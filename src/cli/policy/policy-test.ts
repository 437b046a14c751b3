import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { rememberedTools } from '../../gateway/lists/known-tools.ts';
import { throughLinks } from '../../gateway/call/through-links.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import type { GateCall } from '../../gateway/policy/gate-call.ts';
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
  const { json, sprint, task: taskId } = options;
  const args = await readArgs(cli, options.args);
  const place = await findMcpPlace(cli);
  const config = knownServer(place.reading, serverId);
  const folder = await findFolder(place.root, { sprint, task: taskId });
  const call = { toolName, args, stream: folder?.manifest.id ?? ADHOC_STREAM, taskId };
  const found = await onProject(cli, place, async (project) => {
    const known = await knownTools(cli, { place, config, project });
    const tool = known?.tools.find(({ name }) => name === toolName);
    return known && { ...known, tool, explained: await explain(project, place, config, { ...call, tool }) };
  });
  if (!found) return;
  const { explained, tool, tools } = found;
  const missing = tool ? [] : [unknownTool(serverId, visibleLine(toolName), tools.length > 0)];
  const notes = [...found.notes, ...missing, ...placeNotes(place, config)];
  if (json) return cli.printJson({ server: serverId, tool: toolName, ...explained, notes });
  cli.printLines(explanationLines(cli, explained));
  notes.forEach(cli.note);
}

/** `tool`: as its server has it; `undefined`: it has none of that name, as far as is known. */
async function explain(
  project: Project,
  { root, reading }: McpPlace,
  config: McpServerConfig,
  {
    tool,
    ...call
  }: Pick<GateCall, 'toolName' | 'args' | 'taskId'> & {
    readonly stream: string;
    readonly tool: DownstreamTool | undefined;
  },
): Promise<GateExplanation> {
  await project.confirm(call.stream);
  const { policyRules, pins } = project.state;
  const known = tool && { server: config.id, tool: tool.name, digest: tool.digest };
  return new PolicyGate(reading.policy, policyRules, { root, throughLinks }).explain({
    ...call,
    serverId: config.id,
    annotations: tool && believedAnnotations(tool.definition, config.trust),
    definition: known ? definitionStanding(pins, known) : 'new',
    definitionDigest: tool?.digest,
    cwd: config.transport === 'stdio' ? config.cwd : null,
  });
}

function unknownTool(serverId: string, tool: string, areKnown: boolean): string {
  return areKnown
    ? `${serverId} has no tool ${tool}, as far as is known`
    : `${serverId} was started for no agent and no call yet, so whether it has a tool ${tool} is not in the log; ` +
        `what it has is shown by clifford mcp inspect ${serverId}`;
}

function explanationLines(cli: Pick<Cli, 'style' | 'stdout' | 'env'>, explained: GateExplanation): string[] {
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

function placeNotes({ reading, trust }: McpPlace, { id, disabled }: McpServerConfig): string[] {
  return [
    ...reading.warnings,
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
