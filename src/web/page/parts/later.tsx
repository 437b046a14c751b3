import { lazy, Suspense, type ComponentType } from 'react';

/**
 * What few look at: its code is loaded when the first does.
 *
 * @param name - For people, where it cannot be loaded.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  name: string,
): ComponentType<Props> {
  const Loaded = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      // A server of another version does not have it any more, or none answers.
      return {
        default: () => (
          <p className="empty muted">
            {name} cannot be loaded: the server does not answer, or is of another version.{' '}
            <button type="button" className="button plain" onClick={() => location.reload()}>
              Load again
            </button>
          </p>
        ),
      };
    }
  });
  return (props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
