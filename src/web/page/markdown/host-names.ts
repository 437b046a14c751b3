/** In the place of the package that writes names of machines in ASCII: the browser knows how. */
const hostNames = {
  /** @throws {TypeError} where it is no name of a machine. */
  toASCII: (name: string) => new URL(`http://${name}`).hostname,
  /** In a text a name stays as somebody wrote it: what looks like another one is not made to. */
  toUnicode: (name: string) => name,
};

// As the package has it.
export { hostNames as default };
