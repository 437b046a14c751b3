import { useWindowSize } from 'ink';
import { screenSize, type ScreenSize } from './screen-size.ts';

/** The size of a screen, now. */
export function useScreenSize(): ScreenSize {
  return screenSize(useWindowSize());
}
