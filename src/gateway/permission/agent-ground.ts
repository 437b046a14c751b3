import { join } from 'node:path';
import { configFiles, homeOf } from '../../workflow/config/config-place.ts';
import { userStateFolder } from '../../workflow/project/state-home.ts';
import { throughLinks } from '../call/through-links.ts';
import { PROTECTED } from '../policy/protected-places.ts';
import type { AgentGround } from '../policy/agent-gate.ts';

/**
 * Where agents' own calls are judged: in this project, on this machine, for this user. `root`: absolute.
 *
 * @param home - The project itself, where `root` is a worktree of it: what decides over agents is there.
 */
export function agentGround(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  home = root,
): AgentGround & Required<Pick<AgentGround, 'throughLinks'>> {
  const trusted = userStateFolder(env);
  // The first one is the project's.
  const [, ...configured] = configFiles({ root, env });
  const ofProject = home === root ? [] : PROTECTED.map((name) => join(home, name));
  const protects = [...(trusted === undefined ? [] : [trusted]), ...configured, ...ofProject];
  return { root, throughLinks, users: { home: homeOf(env), protects } };
}
