import {
  permissionsOf,
  ROLES,
  sharedWithAuditors,
  sharedWithUsers,
  type Role,
  type Shared,
} from './access.ts';
import { logNames } from './names.ts';

/** Somebody who may use a log. */
export type LogUser = {
  readonly role: Role;
  /** For people who read the configuration. */
  readonly name: string;
  /** By which the server knows them. */
  readonly publicKey: string;
};

/** What is shared, and the account with which. */
type Service = Shared & { readonly with: string };

/**
 * The accounts of a project, as they stand in the configuration of a server. The log is in an account of its own, in which
 * nobody is: what is published there, the server's own word sent where somebody asked to have it, is a request or an event of
 * it. Who uses it is in a second account, and who only looks in a third one. They have the requests that they need, and what
 * these are answered comes back to their own account, wherever it is sent.
 */
export function accessConfig(project: string, users: readonly LogUser[]): string {
  // No project has a colon in its name, and to the server it is one word of a subject.
  const log = `"clifford-${project}"`;
  const using = `"clifford-${project}:users"`;
  const looking = `"clifford-${project}:auditors"`;
  const { all } = logNames(project);
  const lookers = users.filter(({ role }) => role === 'auditor');
  const others = users.filter(({ role }) => role !== 'auditor');
  const used = sharedWithUsers(project).map((each) => ({ ...each, with: using }));
  const looked = sharedWithAuditors(project).map((each) => ({ ...each, with: looking }));
  const lines = [
    `${log}: {`,
    '  jetstream: enabled',
    ...listLines('exports', [...used, ...(lookers.length > 0 ? looked : [])].map(exported)),
    '}',
    `${using}: {`,
    ...userLines(project, others),
    ...(lookers.length > 0 ? listLines('exports', [`{ stream: "${all}", accounts: [${looking}] }`]) : []),
    ...listLines(
      'imports',
      used.map((each) => imported(log, each)),
    ),
    '}',
  ];
  if (lookers.length === 0) return lines.join('\n');
  // They hear what is published where it is: in the account of the log nobody publishes it.
  const heard = `{ stream: { account: ${using}, subject: "${all}" } }`;
  return [
    ...lines,
    `${looking}: {`,
    ...userLines(project, lookers),
    ...listLines('imports', [...looked.map((each) => imported(log, each)), heard]),
    '}',
  ].join('\n');
}

/** A consumer brings many messages by one request. */
function exported({ subject, with: account }: Service): string {
  const type = subject.includes('.MSG.NEXT.') ? 'response_type: stream, ' : '';
  return `{ service: "${subject}", ${type}accounts: [${account}] }`;
}

function imported(account: string, { subject, as }: Service): string {
  return `{ service: { account: ${account}, subject: "${subject}" }, to: "${as}" }`;
}

/** Users, and before them what each of their roles may do, by its name. */
function userLines(project: string, users: readonly LogUser[]): string[] {
  const roles = ROLES.filter((role) => users.some((user) => user.role === role));
  return [
    ...roles.flatMap((role) => permissionLines(project, role)),
    '  users: [',
    ...users.map(
      ({ role, name, publicKey }) => `    { nkey: ${publicKey}, permissions: $${role} } # ${role} ${name}`,
    ),
    '  ]',
  ];
}

function permissionLines(project: string, role: Role): string[] {
  const { publish, subscribe } = permissionsOf(project, role);
  const quoted = (subjects: readonly string[]) => subjects.map((subject) => `"${subject}"`);
  const lists = [...listLines('publish', quoted(publish)), ...listLines('subscribe', quoted(subscribe))];
  return [`  ${role}: {`, ...lists.map((line) => `  ${line}`), '  }'];
}

function listLines(name: string, entries: readonly string[]): string[] {
  return [`  ${name}: [`, ...entries.map((entry) => `    ${entry}`), '  ]'];
}
