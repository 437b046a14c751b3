import { appendPermissions, lookPermissions, readRequests, type Permissions, type Role } from './access.ts';
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
  const requests = readRequests(project);
  const { all, lookApi } = logNames(project);
  const isAuditor = ({ role }: LogUser) => role === 'auditor';
  return [
    `${account}: {`,
    '  jetstream: enabled',
    ...permissionLines('append', appendPermissions(project)),
    ...userLines(
      users.filter((user) => !isAuditor(user)),
      'append',
    ),
    '  exports: [',
    ...requests.map(
      ({ request, isMany }) =>
        `    { service: "$JS.API.${request}",${isMany ? ' response_type: Stream,' : ''} accounts: [${auditors}] }`,
    ),
    `    { stream: "${all}", accounts: [${auditors}] }`,
    '  ]',
    '}',
    `${auditors}: {`,
    ...permissionLines('look', lookPermissions(project)),
    ...userLines(users.filter(isAuditor), 'look'),
    '  imports: [',
    ...requests.map(
      ({ request }) =>
        `    { service: { account: ${account}, subject: "$JS.API.${request}" }, to: "${lookApi}.${request}" }`,
    ),
    `    { stream: { account: ${account}, subject: "${all}" } }`,
    '  ]',
    '}',
  ].join('\n');
}

function permissionLines(name: string, { publish, subscribe }: Permissions): string[] {
  const list = (key: string, subjects: readonly string[]) => [
    `    ${key}: [`,
    ...subjects.map((subject) => `      "${subject}"`),
    '    ]',
  ];
  return [`  ${name}: {`, ...list('publish', publish), ...list('subscribe', subscribe), '  }'];
}

function userLines(users: readonly LogUser[], permissions: string): string[] {
  return [
    '  users: [',
    ...users.map(
      ({ role, name, publicKey }) =>
        `    { nkey: ${publicKey}, permissions: $${permissions} } # ${role} ${name}`,
    ),
    '  ]',
  ];
}
