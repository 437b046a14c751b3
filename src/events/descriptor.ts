import type { z } from 'zod';
import { once } from '../lib/once.ts';
import type { Approval } from './approval.ts';

/** `data` of one version into the next. Pure. */
export type Upcaster = (data: unknown) => unknown;

/**
 * Which machines know an event. The machines take the types of their events from here; what they do with
 * one is in their tables.
 */
export type Reach = {
  /** The task in its subject, or every task of the sprint. */
  readonly task?: 'own' | 'every';
  /** It may move the sprint, or the sprint only allows or refuses it. */
  readonly sprint?: 'moves' | 'allows';
  /** It opens the request it names, goes to that, or ends the open ones of its task or sprint. */
  readonly request?: 'opens' | 'own' | 'ends';
};

/** What stands in files beside the log and follows from it: `manifest.json`, `memory.json`, `policy.json`, `uat.md`. */
export const projections = ['statuses', 'memories', 'rules', 'reports'] as const;
/** One of {@link projections}. */
export type Projection = (typeof projections)[number];

/** Fields that redaction leaves as they are: `true`, or which of their own fields. */
export type Fields = { readonly [key: string]: true | Fields };

/** Those that data of this form has. Of a list or a record of whatever names: all or nothing. */
type FieldsOf<D> = { readonly [K in keyof D]?: true | InnerFields<NonNullable<D[K]>> };
type InnerFields<D> = D extends readonly unknown[]
  ? true
  : string extends keyof D
    ? true
    : D extends object
      ? FieldsOf<D>
      : true;

/** Why somebody who looks back stops at an event: in order of how loud it is. */
export const marks = [
  'failure',
  'question',
  'approval',
  'answer',
  'attempt',
  'task',
  'steered',
  'sprint',
] as const;
/** One of {@link marks}. */
export type Mark = (typeof marks)[number];

/** The mark of every event of a type, or of one that says this. */
export type MarkOf<D> = Mark | ((data: D) => Mark | undefined);

/** What every event of a type is called, or one that says this; one of which nothing is known, too. */
export type TitleOf<D> = string | ((data: Partial<D>) => string);

/** Says in words what a text has no words for by itself. */
export type Says = {
  /** What a call does, as it is called everywhere. */
  readonly call: (call: Pick<Approval, 'server' | 'tool' | 'args' | 'paths'>) => string;
};

type Described<S extends z.ZodObject, R extends Reach> = {
  /** What it is called for people, where the words of its type do not say it: `Task offered`. */
  readonly title?: TitleOf<z.infer<S>>;
  /** The same where only its type is known, and that the request which it is about is a call that waits for a yes or no. */
  readonly callTitle?: string;
  /** What it says beyond its type, in a few words. The text of others in it is made safe by whoever shows it. */
  readonly text: (data: z.infer<S>, says: Says) => string;
  /** No machine, if absent. */
  readonly reaches?: R;
  /** How it stands out in a history. Absent: it does not. */
  readonly mark?: MarkOf<z.infer<S>>;
  /** The files that a new one changes. */
  readonly projections?: readonly Projection[];
  readonly unredacted?: FieldsOf<z.infer<S>>;
  /** The function at index `n` turns version `n + 1` of `data` into `n + 2`. */
  readonly upcasters?: readonly Upcaster[];
};

/** What people and agents call a decision: `Cannot <verb> task …`. */
type Named = { readonly verb: string };

/** The schema of the current version: made when it is first needed, as a start that sees few types needs few. */
type Lazy<S> = { readonly data: () => S };
type Schema<S> = { readonly data: S };

type Decision<S extends z.ZodObject, R extends Reach> = Described<S, R> &
  Schema<S> &
  Named & { readonly kind: 'decision' };
type Observation<S extends z.ZodObject, R extends Reach> = Described<S, R> &
  Schema<S> & { readonly kind: 'observation' };

/** Everything that is to be said about one event type, whichever it is. */
export type Descriptor = (({ readonly kind: 'decision' } & Named) | { readonly kind: 'observation' }) & {
  readonly data: z.ZodObject;
  readonly title?: TitleOf<never>;
  readonly callTitle?: string;
  readonly text: (data: never, says: Says) => string;
  readonly reaches?: Reach;
  readonly mark?: MarkOf<never>;
  readonly projections?: readonly Projection[];
  readonly unredacted?: Fields;
  readonly upcasters?: readonly Upcaster[];
};

/** Describes an event that the machines it reaches can refuse. */
export function decision<S extends z.ZodObject, const R extends Reach = Record<never, never>>(
  described: Described<S, R> & Lazy<S> & Named,
): Decision<S, R> {
  const { data, ...rest } = described;
  const schema = once(data);
  return {
    ...rest,
    kind: 'decision',
    get data() {
      return schema();
    },
  };
}

/** Describes an event that happened whatever the state: it is never refused. */
export function observation<S extends z.ZodObject, const R extends Reach = Record<never, never>>(
  described: Described<S, R> & Lazy<S>,
): Observation<S, R> {
  const { data, ...rest } = described;
  const schema = once(data);
  return {
    ...rest,
    kind: 'observation',
    get data() {
      return schema();
    },
  };
}
