/** Preserialized JSON of list items that appear in many responses. In-process callers receive the value. */

export class Preserialized<T> {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  parse(): T {
    return JSON.parse(this.text);
  }
}

export type PreserializedPage<Page> = Page extends { data: readonly (infer Item)[] }
  ? Omit<Page, 'data'> & { data: readonly Preserialized<Item>[] }
  : never;

type Fields = Readonly<Record<string, unknown>>;

function findPreserializedList(result: unknown): readonly Preserialized<unknown>[] | undefined {
  if (typeof result !== 'object' || result === null || !('data' in result) || !Array.isArray(result.data))
    return undefined;
  return result.data[0] instanceof Preserialized ? result.data : undefined;
}

export function parsePreserialized(result: unknown): unknown {
  const list = findPreserializedList(result);
  return list ? { ...Object(result), data: list.map((item) => item.parse()) } : result;
}

const EMPTY = '{"data":[]';

export function createPageSerializer(serialize: (value: unknown) => unknown): (result: unknown) => string {
  return (result) => {
    const list = findPreserializedList(result);
    if (!list) return JSON.stringify(serialize(result));
    const page: Fields = { ...Object(result), data: [] };
    const wrapper = JSON.stringify(serialize(page));
    if (!wrapper.startsWith(EMPTY)) throw new Error('a page begins with its list');
    return `{"data":[${list.map(({ text }) => text).join(',')}]${wrapper.slice(EMPTY.length)}`;
  };
}
