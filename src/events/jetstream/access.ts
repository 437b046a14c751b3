import { logNames } from './names.ts';

/** What somebody does with a log: appends to it, for agents or as a human; or looks only. */
export const ROLES = ['worker', 'human', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Subjects of a server, with its wildcards. */
export type Permissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

/** Answers of the server come there. */
const INBOX = '_INBOX.>';
/** By this request a user learns what they may do, as the server sees it. */
export const OWN_PERMISSIONS = '$SYS.REQ.USER.INFO';
/** Before the requests of JetStream. */
const API = '$JS.API';

/** Requests by which a log is read, behind what stands before all of them. `isMany`: there is more than one answer. */
export function readRequests(project: string): { readonly request: string; readonly isMany: boolean }[] {
  const { stream } = logNames(project);
  const once = [
    `STREAM.INFO.${stream}`,
    `STREAM.MSG.GET.${stream}`,
    `CONSUMER.CREATE.${stream}.>`,
    `CONSUMER.DELETE.${stream}.*`,
  ];
  return [
    ...once.map((request) => ({ request, isMany: false })),
    { request: `CONSUMER.MSG.NEXT.${stream}.*`, isMany: true },
  ];
}

/** What who appends may do, and makes the log by that: exactly what this engine asks of a server. Nobody may remove it, or change how it is kept. */
export function appendPermissions(project: string): Permissions {
  const { stream, subjectOf, all } = logNames(project);
  return {
    publish: [
      subjectOf('*'),
      `${API}.STREAM.CREATE.${stream}`,
      ...readRequests(project).map(({ request }) => `${API}.${request}`),
      OWN_PERMISSIONS,
    ],
    subscribe: [INBOX, all],
  };
}

/** The same of who only looks, from an account of its own. By its first request it learns that it is in one. */
export function lookPermissions(project: string): Permissions {
  const { stream, lookApi, all } = logNames(project);
  return {
    publish: [
      `${API}.STREAM.INFO.${stream}`,
      ...readRequests(project).map(({ request }) => `${lookApi}.${request}`),
      OWN_PERMISSIONS,
    ],
    subscribe: [INBOX, all],
  };
}
