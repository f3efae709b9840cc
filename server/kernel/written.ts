/** Preserialized JSON of list items that appear in many responses. In-process callers receive the value. */

export class Written<T> {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  read(): T {
    return JSON.parse(this.text);
  }
}

export type WrittenPage<Page> = Page extends { data: readonly (infer Item)[] }
  ? Omit<Page, 'data'> & { data: readonly Written<Item>[] }
  : never;

type Fields = Readonly<Record<string, unknown>>;

function listOf(made: unknown): readonly Written<unknown>[] | undefined {
  if (typeof made !== 'object' || made === null || !('data' in made) || !Array.isArray(made.data)) return undefined;
  return made.data[0] instanceof Written ? made.data : undefined;
}

export function opened(made: unknown): unknown {
  const list = listOf(made);
  return list ? { ...Object(made), data: list.map((item) => item.read()) } : made;
}

const EMPTY = '{"data":[]';

export function writerOf(shape: (value: unknown) => unknown): (made: unknown) => string {
  return (made) => {
    const list = listOf(made);
    if (!list) return JSON.stringify(shape(made));
    const page: Fields = { ...Object(made), data: [] };
    const around = JSON.stringify(shape(page));
    if (!around.startsWith(EMPTY)) throw new Error('a page begins with its list');
    return `{"data":[${list.map(({ text }) => text).join(',')}]${around.slice(EMPTY.length)}`;
  };
}
