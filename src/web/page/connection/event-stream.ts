/** A message of a stream of server-sent events. */
export type StreamMessage = { readonly name: string; readonly data: string; readonly id: string | undefined };

/** Takes the text of a stream of server-sent events apart, as it comes. */
export class StreamParser {
  #rest = '';
  #name = '';
  #id: string | undefined;
  #data: string[] = [];

  /** The messages that are whole with this text. */
  push(text: string): StreamMessage[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): StreamMessage[] {
    if (line === '') return this.#end();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') this.#name = value;
    else if (field === 'id') this.#id = value;
    else if (field === 'data') this.#data.push(value);
    return [];
  }

  #end(): StreamMessage[] {
    const message = { name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#name = '';
    this.#data = [];
    this.#id = undefined;
    return isEmpty ? [] : [message];
  }
}
