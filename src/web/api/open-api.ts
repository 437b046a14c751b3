import { z } from 'zod';
import { changedFileSchema, changesSchema } from './changes.ts';
import {
  answerBodySchema,
  approveBodySchema,
  decidedSchema,
  doneSchema,
  lostRaceSchema,
} from './decision.ts';
import { diagramSchema, diagramStateSchema, machinePathSchema, pathStateSchema } from './diagram.ts';
import { repeatsAlike, type Endpoint } from './endpoint.ts';
import { endpoints, liveQuerySchema } from './endpoints.ts';
import { everywhereEndpoints, projectRowSchema, projectsSchema } from './projects.ts';
import { errorBodySchema } from './error-body.ts';
import { MAX_KEY_LENGTH, REPEAT_HEADER } from './idempotency-key.ts';
import { anyJsonSchema, usageSchema } from './fields.ts';
import { eventLineSchema, eventsPageSchema, historySchema, momentSchema } from './history.ts';
import { liveMessages } from './live.ts';
import { outputPieceSchema, outputSchema, runOutputSchema } from './output.ts';
import {
  closingSchema,
  questionHeadSchema,
  revealedSchema,
  sentCallSchema,
  sentQuestionSchema,
} from './question.ts';
import { sentSprintSchema, sentTaskSchema, whoRunsSchema } from './sprint.ts';
import { readerSchema, sprintRowSchema, stateSchema } from './state.ts';
import { taskTextSchema } from './task-text.ts';

/** What has a name in the document. */
const named: Readonly<Record<string, z.ZodType>> = {
  State: stateSchema,
  Projects: projectsSchema,
  ProjectRow: projectRowSchema,
  Reader: readerSchema,
  SprintRow: sprintRowSchema,
  Sprint: sentSprintSchema,
  Task: sentTaskSchema,
  WhoRuns: whoRunsSchema,
  Usage: usageSchema,
  QuestionHead: questionHeadSchema,
  Question: sentQuestionSchema,
  Call: sentCallSchema,
  Closing: closingSchema,
  Revealed: revealedSchema,
  Answer: answerBodySchema,
  Approval: approveBodySchema,
  Decided: decidedSchema,
  LostRace: lostRaceSchema,
  Done: doneSchema,
  Output: outputSchema,
  RunOutput: runOutputSchema,
  OutputPiece: outputPieceSchema,
  EventLine: eventLineSchema,
  EventsPage: eventsPageSchema,
  History: historySchema,
  Moment: momentSchema,
  TaskText: taskTextSchema,
  Changes: changesSchema,
  ChangedFile: changedFileSchema,
  Diagram: diagramSchema,
  DiagramState: diagramStateSchema,
  MachinePath: machinePathSchema,
  PathState: pathStateSchema,
  Error: errorBodySchema,
  Json: anyJsonSchema,
};

/** JSON of the document. */
type Json = Readonly<Record<string, unknown>>;

/** What any request may be refused for. */
const refusals: Readonly<Record<number, string>> = {
  400: 'It is not what the schema says',
  401: 'No token, or none that is valid',
  403: 'A foreign origin, a token that may only read, or an agent where a human decides',
  421: 'A host that is none of this server',
  429: 'Too many requests with this token, or with a wrong one: `Retry-After` says after how many seconds there may be another',
};

const repeatKey: Json = {
  name: REPEAT_HEADER,
  in: 'header',
  required: false,
  description: 'Sent twice within a minute with one key and one body, it is done once and has one reply',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
};

/** Those that only a request with a body has. */
const bodyRefusals: Readonly<Record<number, string>> = {
  408: 'The body did not arrive in time',
  413: 'The body is too long',
  415: 'The body is not JSON',
};

/**
 * The description of the API of a project, OpenAPI 3.1, made of the schemas that the server goes by.
 *
 * @param version - Of the program.
 */
export function openApi(version: string): Json {
  const schemas = new SchemaNames();
  const paths = { ...pathsOf(endpoints, schemas), '/api/events': { get: stream(schemas) } };
  return described(version, 'A project of Clifford: its sprints, and what waits for a human', paths, schemas);
}

/** The same of a server of several projects, itself: each of them describes its own, at the address that the list has for it. */
export function openApiOfAll(version: string): Json {
  const schemas = new SchemaNames();
  const paths = pathsOf(everywhereEndpoints, schemas);
  return described(
    version,
    'Projects of Clifford, each with an API of its own below its path',
    paths,
    schemas,
  );
}

function pathsOf(of: Readonly<Record<string, Endpoint>>, schemas: SchemaNames): Json {
  return Object.fromEntries(
    Object.entries(of).map(([name, endpoint]) => [
      endpoint.path,
      { [endpoint.method]: operation(name, endpoint, schemas) },
    ]),
  );
}

function described(version: string, summary: string, paths: Json, schemas: SchemaNames): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Clifford', version, summary },
    security: [{ token: [] }],
    paths: {
      ...paths,
      '/api/openapi.json': {
        get: {
          operationId: 'openapi',
          summary: 'This description',
          responses: { 200: { description: 'OpenAPI 3.1', content: jsonOf({ type: 'object' }) } },
        },
      },
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'That of the start, or one of `clifford serve token`',
        },
      },
      schemas: schemas.all(),
    },
  };
}

function operation(name: string, endpoint: Endpoint, schemas: SchemaNames): Json {
  const { summary, needs, params, query, body, response, refusals: own = {} } = endpoint;
  const others = { ...refusals, ...(body ? bodyRefusals : {}) };
  return {
    operationId: name,
    summary,
    ...(needs === 'decide' ? { description: 'Needs a token that may decide.' } : {}),
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...(repeatsAlike(endpoint) ? [repeatKey] : []),
    ],
    ...(body
      ? { requestBody: { required: true, content: jsonOf(schemas.reference(body, `${name}Body`)) } }
      : {}),
    responses: {
      200: { description: 'Done', content: jsonOf(schemas.reference(response, `${name}Response`)) },
      ...Object.fromEntries(
        Object.entries(others).map(([status, about]) => [
          status,
          refusal(about, schemas.reference(errorBodySchema), status),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(own).map(([status, refused]) => [
          status,
          refusal(refused.about, schemas.reference(refused.body ?? errorBodySchema)),
        ]),
      ),
    },
  };
}

function stream(schemas: SchemaNames): Json {
  const messages = Object.entries(liveMessages).map(([name, schema]) => [
    name,
    schemas.reference(schema, `${name}Message`),
  ]);
  const error = schemas.reference(errorBodySchema);
  return {
    operationId: 'live',
    summary: 'What changes, as it does: server-sent events, at most ten of a name in a second',
    parameters: [
      ...parameters('query', liveQuerySchema),
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The id of the last `events` that arrived: those after it come first',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'The JSON in `data` by the name of the message, `event`',
        content: { 'text/event-stream': { 'x-messages': Object.fromEntries(messages) } },
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, about]) => [status, refusal(about, error, status)]),
      ),
      503: refusal('Too many streams are open', error),
    },
  };
}

function parameters(where: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !z.safeParse(field, undefined).success,
    schema: inlined(field),
  }));
}

function refusal(description: string, schema: Json, status?: string): Json {
  const headers = status === '429' ? { 'Retry-After': { required: true, schema: { type: 'integer' } } } : {};
  return { description, headers, content: jsonOf(schema) };
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}

function inlined(schema: z.core.$ZodType): Json {
  return withoutNames(z.toJSONSchema(schema));
}

/** Schemas by their names in the document; those that have none stand where they are used. */
class SchemaNames {
  readonly #registry = z.registry<{ id: string }>();

  constructor() {
    for (const [id, schema] of Object.entries(named)) this.#registry.add(schema, { id });
  }

  /** Where the schema stands: by its name, or else by another one. */
  reference(schema: z.ZodType, otherwise = 'Unnamed'): Json {
    const known = this.#registry.get(schema)?.id;
    const id = known ?? `${otherwise.charAt(0).toUpperCase()}${otherwise.slice(1)}`;
    if (known === undefined) this.#registry.add(schema, { id });
    return { $ref: referenceTo(id) };
  }

  /** All of them, those that were referred to without a name, too. */
  all(): Json {
    const { schemas } = z.toJSONSchema(this.#registry, { uri: referenceTo });
    return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutNames(schema)]));
  }
}

/** The document says which dialect it is, and where each of its schemas stands. */
function withoutNames(schema: object): Json {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'));
}

function referenceTo(id: string): string {
  return `#/components/schemas/${id}`;
}
