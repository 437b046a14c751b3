import { z } from 'zod';
import { LOG_URL } from '../log/log-url-pattern.ts';

const fileSchema = z.string().min(1);

/** Where the log of a project is, if it is not the file in `.clifford/`. Secrets are in files, or in the environment. */
export const logSchema = z
  .strictObject({
    url: z
      .string()
      .regex(LOG_URL)
      .meta({ examples: ['nats://127.0.0.1:4222/my-project'] })
      .optional()
      .describe(
        'The log on a server with NATS JetStream, and the name of the project there: nats://host:4222/project, or tls://…',
      ),
    servers: z
      .array(z.string().regex(/^[^\s/@,]+$/))
      .default([])
      .meta({ examples: [['logs.example.com:4222']] })
      .describe(
        'Servers that a project’s file may name in log.url, with a port or with any; those of this machine always. Counts in one’s own file only',
      ),
    replicas: z
      .literal([1, 3, 5])
      .default(1)
      .describe('On how many servers of a cluster the log is kept, when its first event makes it'),
    mirror: z
      .boolean()
      .default(true)
      .describe(
        'Whether clifford run and serve keep a mirror of it in .clifford/events.jsonl, to be read without the server',
      ),
    credentials: fileSchema
      .optional()
      .describe('A file of credentials for the server (.creds), from the project’s root'),
    nkey: fileSchema.optional().describe('A file with the seed of an nkey, in place of credentials'),
    ca: fileSchema.optional().describe('A file with the certificates that are trusted, in PEM'),
    cert: fileSchema.optional().describe('A file with one’s own certificate, in PEM'),
    key: fileSchema.optional().describe('A file with the key of that certificate, in PEM'),
  })
  .prefault({});

/** What configuration files say about the log. */
export type LogConfig = z.infer<typeof logSchema>;
