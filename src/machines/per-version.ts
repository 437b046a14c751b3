import type { SprintState } from './project-state.ts';

/**
 * Makes something of a sprint once for each of its versions: what asks every second does not look through all that was
 * ever asked. What is made may hold the sprint's own objects, and is not to be changed.
 */
export function perVersion<Made>(make: (sprint: SprintState) => Made): (sprint: SprintState) => Made {
  const kept = new WeakMap<SprintState, { readonly version: number; readonly made: Made }>();
  return (sprint) => {
    const known = kept.get(sprint);
    if (known?.version === sprint.version) return known.made;
    const made = make(sprint);
    kept.set(sprint, { version: sprint.version, made });
    return made;
  };
}
