/** Parts are read page by page, so that none is in memory as a whole. */
import type { Readable } from 'node:stream';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { Context } from '../../../platform/context.ts';
import { defineKeyedHook, type HookContext } from '../../../platform/hooks.ts';

export type ExportOwner = { id: string; type: UserType };

/** Pages link only these values, never plain text, which may come from another user. */
export class ExportFileLink {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  toJSON(): string {
    return this.path;
  }
}

export type ExportEntry = Readonly<Record<string, unknown>>;
/** The file is in storage, or it is generated while it is read. */
export type ExportFile = { readonly path: string } & (
  | { readonly key: string }
  | { readonly open: () => Promise<Readable> }
);

export type ExportPart = {
  /** The name `messages` yields `messages.html` and `data/messages.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly entries?: (ctx: Context, owner: ExportOwner) => AsyncIterable<ExportEntry>;
  readonly files?: (ctx: Context, owner: ExportOwner) => AsyncIterable<ExportFile>;
};

const exportParts = defineKeyedHook<ExportPart>('dataExport.exportPart');
export const listExportParts = exportParts.list;

export function registerExportPart(ctx: HookContext, part: ExportPart): void {
  exportParts.register(ctx, part.name, part);
}

const PAGE_SIZE = 500;

/** `read` returns at most `size` rows after `last`. */
export async function* iteratePages<Row>(
  read: (last: Row | undefined, size: number) => Promise<Row[]>,
  size = PAGE_SIZE,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ; ) {
    const rows: Row[] = await read(last, size);
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
  }
}
