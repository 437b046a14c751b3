import { Store, useStore } from './connection/store.ts';
import { marksIn, type ShownMarks } from './events/shown-marks.ts';

/** What of a sprint is looked at. */
export const views = ['output', 'task', 'changes', 'events', 'calls', 'states', 'about'] as const;
/** One of {@link views}. */
export type View = (typeof views)[number];

/** Where the reader is: all of it stands in the address, behind the `#`, which no server is told. */
export type Route = {
  /** `undefined`: at the list of all. */
  readonly sprint?: string | undefined;
  readonly task?: string | undefined;
  readonly view?: View | undefined;
  /** The question that is open over it. */
  readonly question?: string | undefined;
  /** A moment of its past, by the version of the event; `undefined`: now. */
  readonly at?: number | undefined;
  /** Which events are listed; `undefined`: all. */
  readonly show?: ShownMarks;
};

const names = { sprint: 's', task: 'task', view: 'view', question: 'q', at: 'at', show: 'show' } as const;

/** Where an address leads. */
function routeOf(hash: string): Route {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string) => params.get(name) ?? undefined;
  const at = Number(text(names.at));
  return {
    sprint: text(names.sprint),
    task: text(names.task),
    view: views.find((view) => view === text(names.view)),
    question: text(names.question),
    at: Number.isInteger(at) && at > 0 ? at : undefined,
    show: marksIn(text(names.show)),
  };
}

/** The address of a place. */
export function hrefOf(route: Route): string {
  const known = Object.entries(names).flatMap(([name, short]) => {
    const value = route[name as keyof Route];
    return value === undefined ? [] : [[short, String(value)]];
  });
  return `#${new URLSearchParams(known).toString()}`;
}

const current = new Store<Route>(routeOf(location.hash));
addEventListener('hashchange', () => (current.value = routeOf(location.hash)));

/** Goes somewhere; `replace`: without a step back. */
export function goTo(route: Route, { replace = false } = {}): void {
  if (hrefOf(route) === hrefOf(current.value)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(route));
  current.value = route;
}

/** Where the reader is. */
export function useRoute(): Route {
  return useStore(current);
}

/** The same, without being told of changes. */
export function routeNow(): Route {
  return current.value;
}
