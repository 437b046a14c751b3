/** How something is led to where one looks for it: so that one sees which way it goes, where motion is wanted. */
export function motion(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
