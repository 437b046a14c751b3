import { resolve } from 'node:path';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import type { Approval } from '../../events/approval.ts';
import { believedAnnotations } from '../tools/tool-annotations.ts';
import { agentKindSchema } from '../permission/agent-call.ts';
import { commandsOf, namedByCall, textsOf } from '../../events/call-fields.ts';
import { otherFolders } from '../permission/other-folders.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { GateCall } from '../policy/gate-call.ts';
import type { RecordedCall } from './recorded-call.ts';

/** What is judged of a call, whoever made it. */
type Called = Pick<RecordedCall, 'tool' | 'stream' | 'taskId'> & { readonly args: unknown };

/** A call of a server's tool as the policy judges it. `config`: of the server, if it is still there. */
export function serverGateCall(
  call: Called & Pick<RecordedCall, 'server' | 'hasChanged' | 'annotations'>,
  config: McpServerConfig | undefined,
): GateCall {
  const { server, tool, args, stream, taskId, hasChanged, annotations = {} } = call;
  return {
    serverId: server,
    toolName: tool,
    args,
    annotations: believedAnnotations({ annotations }, config?.trust ?? 'untrusted'),
    stream,
    taskId,
    definition: hasChanged ? 'changed' : 'pinned',
    cwd: config?.transport === 'stdio' ? config.cwd : null,
  };
}

/** A call of an agent's own tool as the policy judges it: what its arguments name is read out of them again. */
export function agentGateCall(
  {
    tool,
    args,
    paths,
    elsewhere,
    stream,
    taskId,
  }: Called & Pick<RecordedCall, 'paths'> & Partial<Pick<RecordedCall, 'elsewhere'>>,
  agent: string,
  root: string,
): AgentGateCall {
  const kind = agentKindSchema.catch('other').parse(tool);
  const input = isJsonObject(args) ? args : { input: args };
  const named = namedByCall(kind, input);
  const { folder, mayName, hosts, isUnclear, unknownField, deletes } = named;
  // As it was judged then, where what the call names is no whole path: it starts in the folder of its session.
  const [shown, ...others] = textsOf(input, ['cwd shown']).map((each) => resolve(root, each));
  const cwd = shown ?? resolve(root, folder);
  const besides = shown === undefined ? otherFolders(cwd, named.otherFolders, resolve(root)) : others;
  return {
    agent,
    kind,
    title: '',
    args,
    // No yes of a human is for it.
    digest: '',
    commands: commandsOf(kind, input),
    cwd,
    elsewhere,
    ...(besides.length > 0 && { otherFolders: besides }),
    paths: [...new Set([...paths, ...named.paths])],
    ...(mayName.length > 0 && { mayName }),
    ...(isUnclear && { isUnclear, unknownField }),
    ...(deletes && { deletes }),
    hosts,
    stream,
    taskId,
  };
}

/** A call of an agent's own tool that a human was asked about. `undefined`: it is a server's. */
export function approvalGateCall(
  { server, tool, args, paths = [], elsewhere, callDigest }: Approval,
  { root, ...place }: Pick<Called, 'stream' | 'taskId'> & { readonly root: string },
): AgentGateCall | undefined {
  const agent = agentOfServer(server);
  if (agent === undefined) return undefined;
  return { ...agentGateCall({ ...place, tool, args, paths, elsewhere }, agent, root), digest: callDigest };
}
