import type { ProjectState } from '../../machines/project-state.ts';

/**
 * `.clifford/policy.json`: what humans allowed for more than one call, oldest first. `undefined`: no file is
 * there, and none is needed.
 */
export function withRules(file: unknown, { policyRules }: ProjectState): unknown {
  if (file === null && policyRules.length === 0) return undefined;
  return { rules: policyRules.map(({ recordedIn: _recordedIn, ...rule }) => rule) };
}
