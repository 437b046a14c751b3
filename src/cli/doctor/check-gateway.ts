import { count } from '../../lib/text/count.ts';
import { loadMcpConfig } from '../../gateway/config/load-mcp-config.ts';
import { trustOf } from '../../gateway/config/trust.ts';
import { good, warning, type Check, type DoctorContext } from './check.ts';

/** Whether agents can have the servers of `mcp.json`, as far as the file tells. None of them is started. */
export async function checkGateway({ root, env }: DoctorContext): Promise<Check[]> {
  const reading = await loadMcpConfig({ root, env });
  if (!reading.exists) return [];
  const name = 'mcp.json';
  const { problems, servers } = reading;
  if (problems.length > 0)
    return [
      warning(
        name,
        `mcp.json has ${count(problems.length, 'mistake')}`,
        'See them, and what to do, with: clifford mcp doctor',
      ),
    ];
  if ((await trustOf(root, reading, env)).is !== 'trusted')
    return [
      warning(
        name,
        'mcp.json is not trusted as it is now, so agents get none of its servers',
        'Look at what it would run, with: clifford mcp trust',
      ),
    ];
  const used = servers.filter(({ disabled }) => !disabled).length;
  return [good(name, `mcp.json: ${count(used, 'server')}, which clifford mcp doctor starts and looks at`)];
}
