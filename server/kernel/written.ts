/**
 * JSON that is written once and put into many answers: a `Written` stands for a value in the list of a page. Over HTTP its text
 * goes out as it is; whoever asks in this process gets the value.
 */

/** The JSON of a value, of which nothing needs to be left out any more. */
export class Written<T> {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  read(): T {
    return JSON.parse(this.text);
  }
}

/** An answer of a page, its list written. */
export type WrittenPage<Page> = Page extends { data: readonly (infer Item)[] }
  ? Omit<Page, 'data'> & { data: readonly Written<Item>[] }
  : never;

type Fields = Readonly<Record<string, unknown>>;

/** The list of a written page; undefined of every other answer, and where nothing is in it. */
function listOf(made: unknown): readonly Written<unknown>[] | undefined {
  if (typeof made !== 'object' || made === null || !('data' in made) || !Array.isArray(made.data)) return undefined;
  return made.data[0] instanceof Written ? made.data : undefined;
}

/** An answer with what is written in it read. */
export function opened(made: unknown): unknown {
  const list = listOf(made);
  return list ? { ...Object(made), data: list.map((item) => item.read()) } : made;
}

const EMPTY = '{"data":[]';

/** How an answer is written that `shape` shapes. */
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
