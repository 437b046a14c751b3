import { Option } from 'commander';

/** The option of commands that look at all projects of the user's list at once. */
export function everywhereOption(): Option {
  return new Option('--everywhere', 'of all your projects (clifford projects)');
}
