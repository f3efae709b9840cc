/** What goes into an archive: parts that rooms above register, read page by page so that none is ever whole in memory. */
import type { Readable } from 'node:stream';
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { Context } from '../../kernel/context.ts';

/** Whose archive it is. */
export type Owner = { id: string; type: UserType };

/** Where a file lies in the archive, as a value of an entry: its page leads there. No text does, whatever it says: it may be somebody else's. */
export class InArchive {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  toJSON(): string {
    return this.path;
  }
}

/** One thing, as its owner reads it: names in the words of the product, values as JSON has them. */
export type ArchiveEntry = Readonly<Record<string, unknown>>;
/** A file by its path in the archive: one of the store, or made while it is read. */
export type ArchiveFile = { readonly path: string } & (
  | { readonly key: string }
  | { readonly open: () => Promise<Readable> }
);

export type ArchivePart = {
  /** Of its page and its data: `messages` makes `messages.html` and `data/messages.json`. */
  readonly name: string;
  readonly title: string;
  /** One sentence on what it is. */
  readonly lead: string;
  readonly entries?: (ctx: Context, owner: Owner) => AsyncIterable<ArchiveEntry>;
  readonly files?: (ctx: Context, owner: Owner) => AsyncIterable<ArchiveFile>;
};

const partsOf = new WeakMap<Context, Map<string, ArchivePart>>();

/** Registers what a room holds of people; once each by `name`. */
export function registerArchivePart(ctx: Context, part: ArchivePart): void {
  const parts = partsOf.get(ctx) ?? new Map<string, ArchivePart>();
  if (parts.has(part.name)) throw new Error(`the archive has ${part.name} twice`);
  parts.set(part.name, part);
  partsOf.set(ctx, parts);
}

export const registeredParts = (ctx: Context): ArchivePart[] => [...(partsOf.get(ctx)?.values() ?? [])];

const PAGE = 500;

/** Rows page by page: `read` answers at most `size` that follow `last`. */
export async function* inPages<Row>(
  read: (last: Row | undefined, size: number) => Promise<Row[]>,
  size = PAGE,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await read(last, size);
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
  }
}
