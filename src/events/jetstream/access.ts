import { logNames } from './names.ts';

/** What somebody does with a log: appends to it, for agents or as a human; or looks only. */
export const ROLES = ['worker', 'human', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Subjects of a server, with its wildcards. */
export type Permissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

/** Answers of the server come there. */
const INBOX = '_INBOX.>';
/** What one may do, as the server sees it. */
const OWN_PERMISSIONS = '$SYS.REQ.USER.INFO';

/** Requests by which a log is read, each answered once. */
export function readRequests(project: string): string[] {
  const { stream } = logNames(project);
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.*`,
    `$JS.API.CONSUMER.DELETE.${stream}.*`,
  ];
}

/** The request that has many answers: messages, as they come. */
export function messageRequest(project: string): string {
  return `$JS.API.CONSUMER.MSG.NEXT.${logNames(project).stream}.*`;
}

/** What who only looks may do: exactly what this engine asks of a server for it. */
export function readPermissions(project: string): Permissions {
  return {
    publish: [...readRequests(project), messageRequest(project), OWN_PERMISSIONS],
    subscribe: [INBOX, logNames(project).all],
  };
}

/** The same of who appends, and makes the log by that. Nobody may remove it, or change how it is kept. */
export function writePermissions(project: string): Permissions {
  const { stream, subjectOf } = logNames(project);
  const { publish, subscribe } = readPermissions(project);
  return { publish: [subjectOf('*'), `$JS.API.STREAM.CREATE.${stream}`, ...publish], subscribe };
}
