import { lookRequests, permissionsOf, ROLES, type Role } from './access.ts';
import { logNames } from './names.ts';

/** Somebody who may use a log. */
export type LogUser = {
  readonly role: Role;
  /** For people who read the configuration. */
  readonly name: string;
  /** By which the server knows them. */
  readonly publicKey: string;
};

/**
 * The accounts of a project, as they stand in the configuration of a server. The log is in an account of its own: nothing
 * of it is seen in another one. Who only looks is in a second account, which has nothing but the requests for reading: in
 * the account of the log the server would store its own answer where somebody asks to have it sent to the log.
 */
export function accessConfig(project: string, users: readonly LogUser[]): string {
  const account = `"clifford-${project}"`;
  const auditors = `"clifford-${project}-auditors"`;
  const requests = lookRequests(project);
  const { all, lookApi } = logNames(project);
  const lookers = users.filter(({ role }) => role === 'auditor');
  const others = users.filter(({ role }) => role !== 'auditor');
  const exports = [
    ...requests.map((request) => `{ service: "$JS.API.${request}", accounts: [${auditors}] }`),
    `{ stream: "${all}", accounts: [${auditors}] }`,
  ];
  const imports = [
    ...requests.map(
      (request) =>
        `{ service: { account: ${account}, subject: "$JS.API.${request}" }, to: "${lookApi}.${request}" }`,
    ),
    `{ stream: { account: ${account}, subject: "${all}" } }`,
  ];
  const log = [
    `${account}: {`,
    '  jetstream: enabled',
    ...userLines(project, others),
    ...(lookers.length > 0 ? listLines('exports', exports) : []),
    '}',
  ];
  const looking = [`${auditors}: {`, ...userLines(project, lookers), ...listLines('imports', imports), '}'];
  return [...log, ...(lookers.length > 0 ? looking : [])].join('\n');
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
