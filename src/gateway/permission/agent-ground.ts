import { configFiles, homeOf } from '../../workflow/config/config-place.ts';
import { userStateFolder } from '../../workflow/project/state-home.ts';
import { throughLinks } from '../call/through-links.ts';
import type { AgentGround } from '../policy/agent-gate.ts';

/** Where agents' own calls are judged: in this project, on this machine, for this user. `root`: absolute. */
export function agentGround(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): AgentGround & Required<Pick<AgentGround, 'throughLinks'>> {
  const trusted = userStateFolder(env);
  // The first one is the project's.
  const [, ...configured] = configFiles({ root, env });
  const protects = trusted === undefined ? configured : [trusted, ...configured];
  return { root, throughLinks, users: { home: homeOf(env), protects } };
}
