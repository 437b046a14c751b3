import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM, streamSchema, taskIdSchema } from '../../events/field-schemas.ts';
import { readPlainFile } from '../../lib/files/plain-file.ts';
import { isMissing } from '../../lib/system-error.ts';
import { dependencyProblem } from '../task/dependency-problem.ts';

/** Statuses of a sprint and its tasks in `manifest.json`. */
export const manifestStatusSchema = z.enum(['pending', 'active', 'blocked', 'completed', 'pushed']);
export type ManifestStatus = z.infer<typeof manifestStatusSchema>;

/** Whether a status says that all is done. `pushed` is other programs' word for what they took further. */
export function isDoneStatus(status: ManifestStatus): boolean {
  return status === 'completed' || status === 'pushed';
}

const idSchema = z.union([z.string(), z.number().transform(String)]);

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
};

/** Unknown fields are other programs' and survive: the objects are loose. */
export const manifestSchema = z.looseObject({
  id: idSchema
    .pipe(streamSchema)
    .refine((id) => id !== ADHOC_STREAM, `${ADHOC_STREAM} is the name of another stream`),
  name: z.string().optional(),
  status: manifestStatusSchema.default('pending'),
  ...settings,
  tasks: z
    .array(
      z.looseObject({
        id: idSchema.pipe(taskIdSchema),
        file: z.string().min(1),
        status: manifestStatusSchema.default('pending'),
        dependsOn: z.array(idSchema.pipe(taskIdSchema)).optional(),
        ...settings,
      }),
    )
    .superRefine((tasks, context) => {
      const seen = new Set<string>();
      for (const { id } of tasks) {
        if (seen.has(id)) context.addIssue({ code: 'custom', message: `task id ${id} stands there twice` });
        seen.add(id);
      }
    }),
});

/** A sprint as its folder describes it. */
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestTask = Manifest['tasks'][number];

/**
 * Reads a sprint's `manifest.json`.
 *
 * @throws {CliffordError} `MANIFEST_MISSING`, or `MANIFEST_INVALID` naming file, place and rule.
 */
export async function loadManifest(path: string): Promise<Manifest> {
  let text: string;
  try {
    text = readPlainFile(path).toString();
  } catch (cause) {
    if (!isMissing(cause)) throw invalid(path, cause instanceof Error ? cause.message : String(cause), cause);
    throw new CliffordError(`Sprint manifest not found at ${path}`, {
      code: 'MANIFEST_MISSING',
      fix: 'Name a sprint folder that holds a manifest.json',
      recovery: 'fix-input',
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
    throw invalid(path, `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
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
  const issues = parsed.error.issues.map(({ path: at, message }) =>
    at.length === 0 ? message : `${at.join('.')}: ${message}`,
  );
  throw invalid(path, issues.join('; '), parsed.error);
}

const SHAPE = 'Correct the file; it needs { id, name, status, tasks: [{ id, file, status }] }';

function invalid(path: string, reason: string, cause: unknown, fix = SHAPE): CliffordError {
  return new CliffordError(`Cannot read manifest ${path}: ${reason.replaceAll(/\s+/g, ' ')}`, {
    code: 'MANIFEST_INVALID',
    fix,
    recovery: 'fix-input',
    cause,
  });
}
