export { CliffordError } from './errors.ts';
