/** A terminal that is read in another way, and is itself in all else. */
export function withRead(stdin: NodeJS.ReadStream, read: (size?: number) => unknown): NodeJS.ReadStream {
  return new Proxy(stdin, {
    get: (target, key) => {
      if (key === 'read') return read;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
