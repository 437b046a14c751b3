import { count } from '../../lib/text/count.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import { problemsOfRules, type KnownServer } from '../../gateway/policy/rule-problems.ts';
import { envEdit, missingNetworkVariables } from '../../gateway/transport/child-environment.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import { newestProtocol } from '../../mcp/server/newest-protocol.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import { absent, broken, good, warning, type Check, type DoctorContext } from '../doctor/check.ts';
import { checkNode } from '../doctor/system-checks.ts';
import { checkMcpServer, type CheckedServer } from './check-mcp-server.ts';
import { whyUntrusted } from './mcp-errors.ts';
import { type McpPlace, findMcpPlace } from './mcp-place.ts';
import { fixOf, isUnset, wholeMistake } from './mistakes.ts';
import { policyText } from './trust-lines.ts';
import { documentation } from '../../package-file.ts';
import type { Cli } from '../cli.ts';
import { tellChecks } from '../doctor/check-lines.ts';
import { withServers } from './with-servers.ts';

/** Checks everything that the servers of `mcp.json` need, and starts and stops each of them. */
export async function mcpDoctor(cli: Cli, how: { json?: true }): Promise<void> {
  const place = await findMcpPlace(cli);
  if (place.trust.is === 'trusted' && place.reading.servers.length > 0)
    cli.hint('checking, and starting the servers …');
  const checks = await withServers(cli, place, ({ manager }) => examineMcp(place, { env: cli.env, manager }));
  if (checks) tellChecks(cli, checks, how);
}

/** Looks at everything that the servers of an `mcp.json` need, and at these, if it is trusted. */
async function examineMcp(
  place: McpPlace,
  { env, manager }: Pick<DoctorContext, 'env'> & { readonly manager: McpManager },
): Promise<Check[]> {
  const { reading, trust } = place;
  // Of a file that is not there, or is no JSON, nothing else can be said.
  const isRead = reading.exists && wholeMistake(reading) === undefined;
  const startable = reading.servers.filter(({ disabled }) => !disabled);
  const servers =
    trust.is === 'trusted'
      ? await Promise.all(startable.map((config) => checkMcpServer(config, { env, manager })))
      : [];
  return [
    checkNode(),
    checkNpx(place, env),
    good('sdk', `MCP SDK, protocol ${newestProtocol}`),
    ...checkFile(reading),
    ...(isRead ? [...checkVariables(reading), checkTrust(place)] : []),
    ...reading.shown
      .filter(({ disabled }) => disabled)
      .map(({ id }) => absent(`server:${id}`, `${id} is disabled in mcp.json`)),
    ...servers.flatMap(({ checks }) => checks),
    ...checkEnvironment(reading, env),
    ...checkPolicy(reading, servers),
  ];
}

/** Many servers are started by it. It comes with Node. */
function checkNpx({ root, reading }: McpPlace, env: DoctorContext['env']): Check {
  const name = 'npx';
  const file = findExecutable('npx', { cwd: root, path: env['PATH'] });
  if (file !== undefined) return good(name, `npx, ${file}`);
  const users = reading.shown.filter(({ command }) => command === 'npx').map(({ id }) => id);
  if (users.length === 0) return absent(name, 'npx is not on the PATH; no server is started by it');
  const text = `npx is not on the PATH, and starts ${users.join(', ')}`;
  return broken(name, text, 'Install npm, which it is a part of: https://nodejs.org');
}

function checkFile({ file, exists, problems, warnings, shown }: McpConfigReading): Check[] {
  const name = 'mcp.json';
  if (!exists) {
    const fix = 'Add a server with: clifford mcp add <server> -- <command> [args…]';
    return [warning(name, `no ${file}: there are no servers`, fix)];
  }
  const found = [
    ...problems
      .filter((problem) => !isUnset(problem))
      .map((problem) => broken(name, problemText(problem), fixOf(problem))),
    ...warnings.map((text) =>
      warning(name, text, `Look at it; ${documentation('gateway')} describes every key`),
    ),
  ];
  return found.length > 0 ? found : [good(name, `${file}: ${count(shown.length, 'server')}, no mistakes`)];
}

function checkVariables({ problems }: McpConfigReading): Check[] {
  const name = 'variables';
  const unset = problems.filter(isUnset);
  if (unset.length > 0) return unset.map((problem) => broken(name, problemText(problem), fixOf(problem)));
  return [good(name, 'all variables that mcp.json names are set')];
}

/** Servers are handed next to nothing of our environment: behind a proxy they may start, and reach nothing. */
function checkEnvironment({ servers }: McpConfigReading, env: DoctorContext['env']): Check[] {
  const lacking = servers.flatMap((config) => {
    const { id, transport, disabled } = config;
    const missing = transport === 'stdio' && !disabled ? missingNetworkVariables(env, config.env) : [];
    return missing.length === 0 ? [] : [{ id, missing }];
  });
  // Most servers reach nothing, and need none of it: what the same variables are missing for is said once.
  return [...Map.groupBy(lacking, ({ missing }) => missing.join(', '))].flatMap(([names, alike]) => {
    const [first, ...others] = alike;
    if (!first) return [];
    const ids = alike.map(({ id }) => id).join(', ');
    const [is, which] = [others.length === 0 ? 'is' : 'are', first.missing.length === 1 ? 'is' : 'are'];
    const text = `${ids} ${is} not handed ${names}, which ${which} set here`;
    const whose =
      others.length === 0
        ? `If ${ids} reaches the network, add to its entry`
        : 'Add to the entries of those that reach the network';
    return [absent('environment', text, `${whose} in mcp.json: ${envEdit(first.missing)}`)];
  });
}

function checkTrust({ trust, reading }: McpPlace): Check {
  const name = 'trust';
  if (trust.is !== 'trusted') {
    const text = `${reading.file} is not trusted, so no server was started: ${whyUntrusted(trust)}`;
    return broken(name, text, 'Look at what it would run, with: clifford mcp trust');
  }
  const text = {
    record: 'mcp.json is trusted as it is',
    environment: 'mcp.json is trusted by CLIFFORD_TRUST_PROJECT, whatever it says',
    'nothing to run': 'nothing to trust: mcp.json names no server',
  }[trust.by];
  return good(name, text);
}

/** Rules that do nothing, also as far as only the servers' own lists of tools tell. */
function checkPolicy(
  { policy, shown, exists }: McpConfigReading,
  servers: readonly CheckedServer[],
): Check[] {
  const name = 'policy';
  // Why it cannot be read is among the mistakes of the file.
  if (!exists || 'unreadable' in policy) return [];
  const known = shown.map(({ id, isFullyTrusted }): KnownServer => ({
    id,
    trust: isFullyTrusted ? 'full' : 'untrusted',
  }));
  const tools = new Map(
    servers.flatMap(({ id, tools: names }) => (names === undefined ? [] : [[id, names] as const])),
  );
  const told = new Set(problemsOfRules(policy, known).map(({ rule }) => rule));
  const found = problemsOfRules(policy, known, tools).filter(({ rule }) => !told.has(rule));
  if (found.length === 0) return [good(name, `policy: ${policyText(policy)}`)];
  const fix = 'Name a tool as its server does (see clifford mcp inspect <server>), or take the rule out';
  return found.map(({ severity, rule }) =>
    (severity === 'error' ? broken : warning)(name, `policy: ${rule}`, fix),
  );
}
