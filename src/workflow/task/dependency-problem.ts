/** A task and the tasks that have to be done before it. */
type Dependent = { readonly id: string; readonly dependsOn?: readonly string[] | undefined };

/** What is wrong with the order that tasks ask for: the first mistake in words, or nothing. */
export function dependencyProblem(tasks: readonly Dependent[]): string | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const { id, dependsOn = [] } of tasks) {
    if (dependsOn.includes(id)) return `task ${id} depends on itself`;
    const unknown = dependsOn.find((other) => !byId.has(other));
    if (unknown !== undefined) return `task ${id} depends on ${unknown}, and no task has that id`;
  }
  const circle = circleIn(byId);
  return circle && `circular dependencies, so none of these tasks can start: ${circle.join(' → ')}`;
}

/** The ids around a circle of dependencies, the first one at both ends. */
function circleIn(byId: ReadonlyMap<string, Dependent>): string[] | undefined {
  const done = new Set<string>();
  for (const start of byId.keys()) {
    // The way from `start` to where we are, with what is still to be looked at from each task on it.
    const way = new Map<string, string[]>();
    const go = (id: string) => way.set(id, [...(byId.get(id)?.dependsOn ?? [])]);
    if (!done.has(start)) go(start);
    while (way.size > 0) {
      const [here = '', left = []] = [...way].at(-1) ?? [];
      const next = left.shift();
      if (next === undefined) {
        way.delete(here);
        done.add(here);
      } else if (way.has(next)) {
        const ids = [...way.keys()];
        return [...ids.slice(ids.indexOf(next)), next];
      } else if (!done.has(next)) go(next);
    }
  }
  return undefined;
}
