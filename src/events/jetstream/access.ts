import { logNames } from './names.ts';
import { queueNames } from './queue/queue-names.ts';

/** What somebody does with a log: appends to it, and takes sprints from its queue, or puts them there; or looks only. */
export const ROLES = ['worker', 'human', 'auditor'] as const;
export type Role = (typeof ROLES)[number];

/** Subjects of a server, with its wildcards. */
export type Permissions = {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
};

/** Answers of the server come there. */
const INBOX = '_INBOX.>';
/** By this request a user learns what they may do, as the server sees it. */
export const OWN_PERMISSIONS = '$SYS.REQ.USER.INFO';
/** Before the requests of JetStream. */
const API = '$JS.API';

/** What is in the account of a log, and what it is called in the one that uses it from there. */
export type Shared = { readonly subject: string; readonly as: string };

/** What the account of those who append needs of that of the log: all that one of them may publish, but for what they ask each other. */
export function sharedWithUsers(project: string): Shared[] {
  const { useApi } = logNames(project);
  const { presence } = queueNames(project);
  const used = new Set([
    ...permissionsOf(project, 'worker').publish,
    ...permissionsOf(project, 'human').publish,
  ]);
  return [...used]
    .filter(
      (subject) => subject !== OWN_PERMISSIONS && ![API, presence].some((own) => subject.startsWith(own)),
    )
    .map((as) => ({ subject: as.replace(useApi, API), as }));
}

/** What the account of those who only look needs of it. */
export function sharedWithAuditors(project: string): Shared[] {
  const { lookApi } = logNames(project);
  return lookRequests(project).map((request) => ({
    subject: `${API}.${request}`,
    as: `${lookApi}.${request}`,
  }));
}

/** Requests by which whoever only looks reads a log, behind what stands before all of them. None of them makes anything on the server. */
function lookRequests(project: string): string[] {
  const { stream } = logNames(project);
  return [`STREAM.INFO.${stream}`, `STREAM.MSG.GET.${stream}`];
}

/** Requests by which the others read it, too: a consumer brings messages faster than they can be asked for. */
function readRequests(project: string): string[] {
  const { stream } = logNames(project);
  const consume = [`CREATE.${stream}.>`, `DELETE.${stream}.*`, `MSG.NEXT.${stream}.*`];
  return [...lookRequests(project), ...consume.map((request) => `CONSUMER.${request}`)];
}

/** What a role may do: exactly what this engine asks of a server for it. Nobody may remove a log, or change how it is kept. */
export function permissionsOf(project: string, role: Role): Permissions {
  if (role === 'auditor') return lookPermissions(project);
  const log = appendPermissions(project);
  const queue = queuePermissions(project);
  // Whoever has a sprint puts tasks of it into the queue.
  const take = role === 'worker' ? takePermissions(project) : { publish: [], subscribe: [] };
  return {
    publish: [...new Set([...log.publish, ...queue.publish, ...take.publish])],
    subscribe: [...new Set([...log.subscribe, ...queue.subscribe, ...take.subscribe])],
  };
}

/** Whoever appends makes the log by that. */
function appendPermissions(project: string): Permissions {
  const { stream, useApi, subjectOf, all } = logNames(project);
  return {
    publish: [
      subjectOf('*'),
      `${useApi}.STREAM.CREATE.${stream}`,
      ...readRequests(project).map((request) => `${useApi}.${request}`),
      firstRequest(project),
      OWN_PERMISSIONS,
    ],
    subscribe: [INBOX, all],
  };
}

/** Whoever opens the queue makes it, where it is not there, and sees what is in it. */
function openPermissions(project: string): Permissions {
  const { useApi } = logNames(project);
  const { stream, all } = queueNames(project);
  return {
    publish: ['CREATE', 'INFO', 'MSG.GET'].map((request) => `${useApi}.STREAM.${request}.${stream}`),
    subscribe: [all],
  };
}

/** Whoever takes sprints from the queue is handed them, says what became of them, and answers who asks whether it is there: nowhere else. */
function takePermissions(project: string): Permissions {
  const { useApi } = logNames(project);
  const { stream, presence, answerTo } = queueNames(project);
  const { publish, subscribe } = openPermissions(project);
  const take = [
    `${useApi}.CONSUMER.LIST.${stream}`,
    `${useApi}.CONSUMER.MSG.NEXT.${stream}.*`,
    `$JS.ACK.${stream}.>`,
    answerTo('*'),
  ];
  return { publish: [...publish, ...take], subscribe: [...subscribe, presence] };
}

/** Whoever puts sprints into the queue takes them out, too, makes the consumers by which they are handed out, and asks who is there. */
function queuePermissions(project: string): Permissions {
  const { useApi } = logNames(project);
  const { stream, all, presence, answerTo } = queueNames(project);
  const { publish, subscribe } = openPermissions(project);
  const change = [
    all,
    presence,
    `${useApi}.STREAM.MSG.DELETE.${stream}`,
    `${useApi}.CONSUMER.CREATE.${stream}.>`,
    `${useApi}.CONSUMER.INFO.${stream}.*`,
  ];
  return { publish: [...publish, ...change], subscribe: [...subscribe, answerTo('*')] };
}

/** Nobody is in the account of the log: by the answer to this one learns that. */
function firstRequest(project: string): string {
  return `${API}.STREAM.INFO.${logNames(project).stream}`;
}

/** Who only looks has fewer requests, with other names: the first of the others is answered to it by nobody. */
function lookPermissions(project: string): Permissions {
  const { stream, useApi, lookApi, all } = logNames(project);
  return {
    publish: [
      firstRequest(project),
      `${useApi}.STREAM.INFO.${stream}`,
      ...lookRequests(project).map((request) => `${lookApi}.${request}`),
      OWN_PERMISSIONS,
    ],
    subscribe: [INBOX, all],
  };
}
