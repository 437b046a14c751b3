import { streamSchema } from '../../field-schemas.ts';
import { lanes, type Job, type Lane } from '../../queue/job-queue.ts';

/** Where a job stands in the queue, and which sprint it is: what its subject says. */
export type JobPlace = Pick<Job, 'lane' | 'needs' | 'sprint'>;

/** Stands for no needs at all. No label can be it. */
const NONE = '_';

/**
 * What the queue of a project is called on a server. A job has a subject of its own,
 * `clifford.job.<project>.<lane>.<needs>.<sprint>`, and those of a lane with the same needs a consumer: labels have letters, digits and
 * `-`, joined by `+`.
 */
export type QueueNames = {
  /** The JetStream stream that has the jobs. */
  readonly stream: string;
  readonly all: string;
  /** Every subject that a job of this sprint can have. */
  readonly ofSprint: (sprint: string) => string;
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
    ofSprint: (sprint) => `${prefix}*.*.${sprint}`,
    subjectOf: ({ lane, needs, sprint }) => `${prefix}${lane}.${tokenOf(needs)}.${sprint}`,
    placeOf: (subject) => {
      const [name, needs, sprint] = subject.slice(prefix.length).split('.');
      const lane = laneNamed(name);
      if (lane === undefined || needs === undefined || sprint === undefined) return undefined;
      return { lane, needs: needs === NONE ? [] : needs.split('+'), sprint };
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
