import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { streamSchema, taskIdSchema } from '../../events/field-schemas.ts';
import { readPlainFile } from '../../lib/files/plain-file.ts';
import { typeText } from '../../lib/json/kind-text.ts';
import { messageOf } from '../../lib/message-of.ts';
import { isMissing } from '../../lib/system-error.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { manifestStatuses } from '../../machines/manifest-words.ts';
import { keyText } from '../config/config-keys.ts';
import { placeText } from '../config/config-problem.ts';
import { nearestNode, placeOf } from '../config/json-places.ts';
import { parseBody } from '../config/parse-body.ts';
import { dependencyProblem } from '../task/dependency-problem.ts';

/** Statuses of a sprint and its tasks in `manifest.json`. */
export const manifestStatusSchema = z.enum(manifestStatuses);

const idSchema = z.union([z.string(), z.number().transform(String)], {
  error: ({ input }) =>
    input === undefined ? 'is missing' : `expected ${typeText('string')} or ${typeText('number')}`,
});

/**
 * What may be said for the whole sprint and for each of its tasks. Other programs may mean something else
 * by these words: they are checked when they are needed, and no value makes a manifest unreadable.
 */
const settings = {
  agent: z.unknown().optional(),
  agentCmd: z.unknown().optional(),
  model: z.unknown().optional(),
  maxAttempts: z.unknown().optional(),
  verify: z.unknown().optional(),
  fallback: z.unknown().optional(),
  commit: z.unknown().optional(),
  done: z.unknown().optional(),
};

const taskEntrySchema = z.looseObject({
  id: idSchema.pipe(taskIdSchema),
  file: z.string().min(1),
  status: manifestStatusSchema.default('pending'),
  dependsOn: z.array(idSchema.pipe(taskIdSchema)).optional(),
  paths: z.unknown().optional(),
  needs: z.unknown().optional(),
  ...settings,
});

/** Unknown fields are other programs' and survive: the objects are loose. */
export const manifestSchema = z.looseObject({
  id: idSchema
    .pipe(streamSchema)
    .refine((id) => id !== ADHOC_STREAM, `${ADHOC_STREAM} is the name of another stream`),
  name: z.string().optional(),
  status: manifestStatusSchema.default('pending'),
  parallel: z.unknown().optional(),
  needs: z.unknown().optional(),
  ...settings,
  tasks: z.array(taskEntrySchema).superRefine((tasks, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of tasks.entries()) {
      const isTwice = seen.has(id);
      if (isTwice) context.addIssue({ code: 'custom', path: [index, 'id'], message: `${id} appears twice` });
      seen.add(id);
    }
  }),
});

/** The keys of a manifest that mean something. */
export const manifestKeys: readonly string[] = ['$schema', ...Object.keys(manifestSchema.shape)];
/** Those of one of its tasks. */
export const taskEntryKeys: readonly string[] = Object.keys(taskEntrySchema.shape);

/** Longest manifest that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 16_777_216;

/** A sprint as its folder describes it. */
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestTask = Manifest['tasks'][number];

/**
 * Reads a sprint's `manifest.json`.
 *
 * @param read - Reads its bytes. By default links are followed.
 * @throws {CliffordError} `MANIFEST_MISSING`, or `MANIFEST_INVALID` naming file, place and rule.
 */
export async function loadManifest(
  path: string,
  read = (order: { maxBytes: number }) => readPlainFile(path, order),
): Promise<Manifest> {
  let text: string;
  try {
    text = read({ maxBytes: MAX_MANIFEST_BYTES }).toString();
  } catch (cause) {
    if (!isMissing(cause)) throw invalid(path, messageOf(cause), cause);
    throw new CliffordError(`Sprint manifest not found at ${path}`, {
      code: 'MANIFEST_MISSING',
      fix: 'Name a sprint folder that holds a manifest.json',
      cause,
    });
  }
  return parseManifest(text, path);
}

/**
 * Parses the text of a manifest. A byte order mark is fine.
 *
 * @internal for tests
 */
export function parseManifest(text: string, path: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw notJson(path, text, cause);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) {
    const problem = dependencyProblem(parsed.data.tasks);
    if (problem === undefined) return parsed.data;
    throw invalid(
      path,
      problem,
      undefined,
      'Correct dependsOn: it names tasks of this manifest by their ids',
    );
  }
  throw notAManifest({ path, text, json }, parsed.error);
}

/** Names the place of the first character that should not be there. */
function notJson(path: string, text: string, cause: unknown): CliffordError {
  const parsed = parseBody(path, text, { isStrict: true });
  if ('problem' in parsed)
    return invalid(placeText(path, parsed.problem.place), parsed.problem.rule, cause, 'Correct it there');
  return invalid(path, `it is not JSON (${messageOf(cause)})`, cause);
}

/** Names the place of the first value that is wrong, and what is wrong with each. */
function notAManifest(
  { path, text, json }: { path: string; text: string; json: unknown },
  cause: z.ZodError,
): CliffordError {
  const parsed = parseBody(path, text, { isStrict: true });
  const issues = cause.issues.map(({ path: at, message }) => ({
    at: at.map((step) => (typeof step === 'number' ? step : String(step))),
    message: plainMessage(message),
  }));
  const [first] = issues;
  const placeAt = (at: (string | number)[]) =>
    'body' in parsed ? placeOf(nearestNode(parsed.body, at)) : undefined;
  const place = first && placeAt(first.at);
  const reasons = issues.map(({ at, message }) => {
    if (at.length === 0) return `the file ${message}`;
    const line = placeAt(at)?.line;
    const where = line === undefined || line === place?.line ? '' : `line ${line}, `;
    if (!message.startsWith('is missing')) return `${where}${keyText(at)}: ${message}`;
    return `${where}${keyText(at)} ${message}${misspelt(json, at)}`;
  });
  return invalid(placeText(path, place), reasons.join('; '), cause);
}

/** What stands in the place of a key that is missing, where it looks like it. */
function misspelt(json: unknown, at: readonly (string | number)[]): string {
  const key = String(at.at(-1));
  const [known, entry] =
    at.length === 1 ? [manifestKeys, json] : [taskEntryKeys, tasksIn(json)[Number(at[1])]];
  if (typeof entry !== 'object' || entry === null) return '';
  const near = Object.keys(entry).find((each) => !known.includes(each) && didYouMean(each, [key]) !== '');
  return near === undefined ? '' : `, and ${JSON.stringify(near)} is no key of it${didYouMean(near, [key])}`;
}

function tasksIn(json: unknown): readonly unknown[] {
  const tasks = typeof json === 'object' && json !== null && 'tasks' in json ? json.tasks : undefined;
  return Array.isArray(tasks) ? tasks : [];
}

function plainMessage(message: string): string {
  return message
    .replace(
      /^Invalid option: expected one of (.*)$/,
      (_, all: string) => `must be one of ${all.replaceAll('|', ', ')}`,
    )
    .replace(/^Invalid input: expected (\w+), received (\w+)$/, (_, expected: string, received: string) => {
      const what = typeText(expected);
      return received === 'undefined'
        ? `is missing (expected ${what})`
        : `must be ${what} (it is ${typeText(received)})`;
    });
}

const SHAPE = 'Correct the file; it needs { id, name, status, tasks: [{ id, file, status }] }';

function invalid(where: string, reason: string, cause: unknown, fix = SHAPE): CliffordError {
  return new CliffordError(`Cannot read manifest ${where}: ${reason.replaceAll(/\s+/g, ' ')}`, {
    code: 'MANIFEST_INVALID',
    fix,
    cause,
  });
}
