/**
 * Runs one command.
 *
 * @param argv - Without the interpreter and the script.
 * @returns the exit code.
 */
export function main(argv: readonly string[]): Promise<number> {
  process.stderr.write(`Cannot run clifford ${argv.join(' ')}: this version has no commands\n`);
  return Promise.resolve(2);
}
