/** How one is led to another place of what scrolls: so that one sees which way it goes, where motion is wanted. */
export function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
