import { lazy, Suspense, type ComponentProps } from 'react';
import type { StateDiagram } from './state-diagram.tsx';

/** What draws one is loaded when the first is looked at: most pages are about a question. */
const Loaded = lazy(async () => {
  try {
    return { default: (await import('./state-diagram.tsx')).StateDiagram };
  } catch {
    return { default: Missing };
  }
});

/** A diagram of states, as soon as what draws it is there. */
export function LaterDiagram(props: ComponentProps<typeof StateDiagram>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** A server of another version does not have it any more, or none answers. */
function Missing() {
  return <p className="empty muted">The diagram cannot be loaded: load the page again.</p>;
}
