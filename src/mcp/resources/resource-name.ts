/** What of a project an agent can read. `from`: the version that a part of a log begins with. */
export type ResourceName =
  | { readonly is: 'sprints' }
  | { readonly is: 'sprint'; readonly sprint: string }
  | { readonly is: 'task'; readonly sprint: string; readonly task: string }
  | { readonly is: 'log'; readonly sprint: string; readonly from?: number };

const SPRINTS = 'clifford://sprints';

/** The templates of the URIs of {@link ResourceName}. */
export const uriTemplate = {
  sprint: `${SPRINTS}/{sprint}`,
  task: `${SPRINTS}/{sprint}/tasks/{task}`,
  log: `${SPRINTS}/{sprint}/log{?from}`,
} as const;

const known =
  /^clifford:\/\/sprints(?:\/(?<sprint>[A-Za-z0-9_-]{1,128})(?:\/tasks\/(?<task>[^/?#]{1,1800})|(?<log>\/log)(?:\?from=(?<from>[1-9]\d{0,14}))?)?)?$/;

/** Whether a URI is one of Clifford's own, be it known or not. */
export function isOwnUri(uri: string): boolean {
  return uri.startsWith('clifford:');
}

export function uriOf(name: ResourceName): string {
  if (name.is === 'sprints') return SPRINTS;
  const sprint = `${SPRINTS}/${name.sprint}`;
  switch (name.is) {
    case 'sprint':
      return sprint;
    case 'task':
      return `${sprint}/tasks/${encodeURIComponent(name.task)}`;
    case 'log':
      return `${sprint}/log${name.from === undefined ? '' : `?from=${name.from}`}`;
  }
}

/** What {@link uriOf} was made of; `undefined` for any other URI. */
export function resourceName(uri: string): ResourceName | undefined {
  const groups = known.exec(uri)?.groups;
  if (!groups) return undefined;
  const { sprint, task, log, from } = groups;
  if (sprint === undefined) return { is: 'sprints' };
  if (log !== undefined) return { is: 'log', sprint, ...(from === undefined ? {} : { from: Number(from) }) };
  if (task === undefined) return { is: 'sprint', sprint };
  try {
    return { is: 'task', sprint, task: decodeURIComponent(task) };
  } catch {
    // A `%` that begins no character: no URI that was made here.
    return undefined;
  }
}
