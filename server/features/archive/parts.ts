/** Parts are read page by page, so that none is in memory as a whole. */
import type { Readable } from 'node:stream';
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { Context } from '../../kernel/context.ts';

export type Owner = { id: string; type: UserType };

/** Pages link only these values, never plain text, which may come from another user. */
export class InArchive {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  toJSON(): string {
    return this.path;
  }
}

export type ArchiveEntry = Readonly<Record<string, unknown>>;
/** The file is in storage, or it is generated while it is read. */
export type ArchiveFile = { readonly path: string } & (
  | { readonly key: string }
  | { readonly open: () => Promise<Readable> }
);

export type ArchivePart = {
  /** The name `messages` yields `messages.html` and `data/messages.json`. */
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly entries?: (ctx: Context, owner: Owner) => AsyncIterable<ArchiveEntry>;
  readonly files?: (ctx: Context, owner: Owner) => AsyncIterable<ArchiveFile>;
};

const partsOf = new WeakMap<Context, Map<string, ArchivePart>>();

/** Throws when `name` is registered twice. */
export function registerArchivePart(ctx: Context, part: ArchivePart): void {
  const parts = partsOf.get(ctx) ?? new Map<string, ArchivePart>();
  if (parts.has(part.name)) throw new Error(`the archive has ${part.name} twice`);
  parts.set(part.name, part);
  partsOf.set(ctx, parts);
}

export const registeredParts = (ctx: Context): ArchivePart[] => [...(partsOf.get(ctx)?.values() ?? [])];

const PAGE = 500;

/** `read` returns at most `size` rows after `last`. */
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
