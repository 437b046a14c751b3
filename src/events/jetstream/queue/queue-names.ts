import { sha256 } from '../../../lib/digest.ts';
import { streamSchema } from '../../field-schemas.ts';
import { lanes, type Job, type Lane } from '../../queue/job-queue.ts';

/** Where a job stands in the queue, and which it is: what its subject says. */
export type JobPlace = Pick<Job, 'lane' | 'needs'> & {
  /** {@link jobKey}. */
  readonly key: string;
};

/** Stands for no needs at all. No label can be it. */
const NONE = '_';

/** Between a sprint and what stands for its task: no sprint has it in its name. */
const OF = '~';
/** So many hexadecimal digits stand for a task, whose id may have any characters. */
const TASK_LENGTH = 16;

/** By what a job is told from all others: the sprint, and, of a task, `~` and a digest of its id. */
export function jobKey({ sprint, task }: Pick<Job, 'sprint' | 'task'>): string {
  return task === undefined ? sprint : `${sprint}${OF}${sha256(task, 'hex').slice(0, TASK_LENGTH)}`;
}

/** The sprint of a key. */
export function sprintOfKey(key: string): string {
  return key.split(OF)[0] ?? key;
}

/**
 * What the queue of a project is called on a server. A job has a subject of its own,
 * `clifford.job.<project>.<lane>.<needs>.<key>`, and those of a lane with the same needs a consumer: labels have letters, digits and
 * `-`, joined by `+`.
 */
export type QueueNames = {
  /** The JetStream stream that has the jobs. */
  readonly stream: string;
  readonly all: string;
  /** Where workers that are there are asked for their labels. */
  readonly presence: string;
  /** Where their answers come to, whose it may be: no subject of anything else begins so. */
  readonly answerTo: (nonce: string) => string;
  /** Every subject that a job with this key can have. */
  readonly ofKey: (key: string) => string;
  readonly subjectOf: (place: JobPlace) => string;
  /** `undefined`: no subject of a job. */
  readonly placeOf: (subject: string) => JobPlace | undefined;
  /** The consumer that hands out the jobs of a lane with such needs, and what it has. */
  readonly consumerOf: (place: Pick<JobPlace, 'lane' | 'needs'>) => { name: string; subject: string };
};

/** The names of a project. */
export function queueNames(project: string): QueueNames {
  const prefix = `clifford.job.${project}.`;
  const tokenOf = (needs: readonly string[]) => (needs.length === 0 ? NONE : needs.join('+'));
  return {
    stream: `clifford-jobs-${project}`,
    all: `${prefix}>`,
    presence: `clifford.worker.${project}`,
    answerTo: (nonce) => `clifford.worker.${project}.${nonce}`,
    ofKey: (key) => `${prefix}*.*.${key}`,
    subjectOf: ({ lane, needs, key }) => `${prefix}${lane}.${tokenOf(needs)}.${key}`,
    placeOf: (subject) => {
      const [name, needs, key] = subject.slice(prefix.length).split('.');
      const lane = laneNamed(name);
      if (lane === undefined || needs === undefined || key === undefined) return undefined;
      return { lane, needs: needs === NONE ? [] : needs.split('+'), key };
    },
    consumerOf: ({ lane, needs }) => ({
      name: `workers-${lane}-${tokenOf(needs)}`,
      subject: `${prefix}${lane}.${tokenOf(needs)}.*`,
    }),
  };
}

/** Anything else in a subject may stand for several, or for what no log has. */
export function isSprintName(name: string | undefined): name is string {
  return streamSchema.safeParse(name).success;
}

function laneNamed(name: string | undefined): Lane | undefined {
  return lanes.find((lane) => lane === name);
}
