import {
  createActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFromLogic,
  type SnapshotFrom,
  type StateValue,
} from 'xstate';

/** Where an instance stands, as plain JSON. */
export type Resting<M extends AnyStateMachine> = {
  readonly value: StateValue;
  readonly context: ContextFrom<M>;
};

/**
 * One instance of a machine, moved by events. Runs no action but `assign`.
 *
 * At rest it is a few plain values; a snapshot of XState, which costs about a kilobyte, is made
 * when the first event arrives and given back by {@link rest}.
 */
export class Instance<M extends AnyStateMachine> {
  readonly #kind: Kind<M>;
  #resting: Resting<M>;
  #live: SnapshotFrom<M> | undefined;

  /** Use {@link createKind}: it prepares a machine once for all its instances. */
  constructor(kind: Kind<M>, resting: Resting<M>) {
    this.#kind = kind;
    this.#resting = resting;
  }

  /** The state, nested as XState nests it: `{ blocked: 'question' }`. */
  get value(): StateValue {
    return this.#resting.value;
  }

  get context(): ContextFrom<M> {
    return this.#resting.context;
  }

  /** Is this event legal here? Asks the machine. */
  can(event: EventFromLogic<M>): boolean {
    const snapshot: AnyMachineSnapshot = this.#snapshot();
    return snapshot.can(event);
  }

  /** Moves on. An event the state does not know changes nothing. */
  step(event: EventFromLogic<M>): void {
    const next = this.#kind.transition(this.#snapshot(), event);
    this.#live = next;
    this.#resting = next;
  }

  /** Gives the snapshot back, e.g. when nothing more is expected. Loses no state. */
  rest(): void {
    this.#resting = this.toJSON();
    this.#live = undefined;
  }

  toJSON(): Resting<M> {
    return { value: this.#resting.value, context: this.#resting.context };
  }

  #snapshot(): SnapshotFrom<M> {
    const live = this.#live ?? this.#kind.restore(this.#resting);
    this.#live = live;
    return live;
  }
}

/** A machine, prepared for many instances. */
export type Kind<M extends AnyStateMachine> = {
  /** A fresh instance in the initial state. */
  readonly create: () => Instance<M>;
  /** An instance that stands where an earlier one stood. Throws later on a state that is unknown. */
  readonly revive: (resting: Resting<M>) => Instance<M>;
  readonly restore: (resting: Resting<M>) => SnapshotFrom<M>;
  readonly transition: (snapshot: SnapshotFrom<M>, event: EventFromLogic<M>) => SnapshotFrom<M>;
};

/**
 * Prepares a machine. XState's own `transition()` builds an actor and a system at every call;
 * one shared inert scope gives the same snapshots several times faster.
 */
export function createKind<M extends AnyStateMachine>(machine: M): Kind<M> {
  const self = createActor(machine);
  const scope: Parameters<M['transition']>[2] = {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: () => {},
  };
  const initial = self.getSnapshot() as SnapshotFrom<M>;
  const kind: Kind<M> = {
    create: () => new Instance(kind, initial),
    revive: (resting) => new Instance(kind, resting),
    restore: (resting) => machine.resolveState(resting) as SnapshotFrom<M>,
    transition: (snapshot, event) => machine.transition(snapshot, event, scope) as SnapshotFrom<M>,
  };
  return kind;
}
