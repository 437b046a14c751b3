import { z } from 'zod';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { usesVariables } from './expand-variables.ts';
import { notifyRuleKeys } from './notify-rule-keys.ts';
import { refuses } from './unshown-keys.ts';

/** What messages to humans who are elsewhere go through. */
export const notifyServices = ['webhook', 'ntfy', 'email', 'telegram', 'slack', 'command'] as const;
/** One of {@link notifyServices}. */
export type NotifyService = (typeof notifyServices)[number];

/** The name of a variable of the environment, and nothing else: the value belongs into no file. */
const secretSchema = (what: string) =>
  refuses(
    z
      .string()
      .regex(/^\$\{[A-Za-z_]\w*\}$/)
      .describe(`${what}: an environment variable, as in \${CLIFFORD_TOKEN}`),
    'must name an environment variable, as in "${CLIFFORD_TOKEN}": a secret does not belong into the file',
  );

/** A text with variables, looked up when a message is sent. A secret in it has to be one of them. */
const openText = (describe: string) =>
  refuses(
    z
      .string()
      .min(1)
      .max(2_048)
      .refine((text) => usesVariables(text) || !holdsSecret(text))
      .describe(describe),
    'must be a text without a secret in it: put that into an environment variable, and name it, as in "${CLIFFORD_URL}"',
  );

/** An argument of a program, as it is handed over: variables in it are left to the program. */
const argumentSchema = refuses(
  z
    .string()
    .min(1)
    .max(16_384)
    .refine((text) => !holdsSecret(text.replaceAll(VARIABLES_BEFORE_HOST, '//')))
    .describe('An argument'),
  'must be a text without a secret in it: put that into an environment variable, which the program can read',
);

/** Of a URL that a shell makes: `https://$NAME:$PASSWORD@`. */
const VARIABLES_BEFORE_HOST = /\/\/(?:\$\{?\w+\}?:?)+@/g;

/** URLs at which whoever knows them may write. */
const SECRET_URL =
  /\/\/[^/]*@|\/\/(?:[\w-]+\.)*(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/./i;

function holdsSecret(text: string): boolean {
  return looksSecret(text) || SECRET_URL.test(text);
}

/** A name that answers are recorded under: of a person, no program's and no agent's. */
const personSchema = z
  .string()
  .regex(/^(?!(?:file|log|mcp|runner|clifford)$)[\p{L}\p{N}][\p{L}\p{N} ._-]{0,62}$/u)
  .meta({ examples: ['ada'] });

/** A way to a human who is elsewhere. Which keys matter follows from `via`. */
export const notifyChannelSchema = z.strictObject({
  via: z.enum(notifyServices).optional().describe('What the messages go through'),
  ...notifyRuleKeys,
  shows: z
    .enum(['names', 'questions'])
    .optional()
    .describe(
      'What its messages say: names of sprints and tasks alone, or questions, too; default: questions',
    ),
  url: openText(
    'Where to: of a webhook, of the ntfy server, of the mail server (smtps://, smtp://), or of another server that speaks as Telegram or Slack do',
  ).optional(),
  format: z
    .enum(['clifford', 'slack', 'discord'])
    .optional()
    .describe(
      'What a webhook is sent: all there is to say, or what Slack or Discord take; default: clifford',
    ),
  secret: secretSchema('What a webhook is signed with').optional(),
  topic: openText('The topic of ntfy').optional(),
  token: secretSchema('The token: of the bot of Telegram or Slack, or for the ntfy server').optional(),
  appToken: secretSchema('The app-level token of Slack, by which answers are read').optional(),
  user: openText('Who logs in at the mail server').optional(),
  password: secretSchema('The password for the mail server').optional(),
  from: openText('The sender of mails').optional(),
  to: z.array(openText('An address')).min(1).optional().describe('The receivers of mails'),
  chat: openText('The chat of Telegram or the channel of Slack, by its id').optional(),
  command: z
    .array(argumentSchema)
    .min(1)
    .optional()
    .describe(
      'The program to run, and its arguments, without a shell: {title} and {text} are replaced, and its stdin has all of it as JSON',
    ),
  answers: z
    .record(personSchema, z.string().min(1).max(64))
    .optional()
    .describe('Who may answer in the chat: names, each with the id of that user there'),
  approvals: z
    .boolean()
    .optional()
    .describe('Whether they may allow tool calls there, each for once: the message has the whole call then'),
});

/** A way to a human as the configuration has it, variables not replaced. */
export type NotifyChannelConfig = z.infer<typeof notifyChannelSchema>;
