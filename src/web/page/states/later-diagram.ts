import { later } from '../parts/later.tsx';

/** A diagram of states, as soon as what draws it is there: most pages are about a question. */
export const LaterDiagram = later(
  async () => (await import('./state-diagram.tsx')).StateDiagram,
  'The diagram',
);
