import { Readable } from 'node:stream';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import { registerArchivePart } from '../archive/index.ts';
import { readEarnings, walletReader } from './read.ts';
import { type Read, writeStatement } from './service.ts';

const FIRST_DAY = '2000-01-01';

const streamOf = ({ body }: Pick<FileAnswer, 'body'>) =>
  body instanceof Readable ? body : Readable.from(body, { objectMode: false });

export function registerStatementPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'statements',
    title: 'Statements',
    lead: 'All transactions as spreadsheets.',
    files: async function* (_ctx, { id, type }) {
      const to = ctx.clock.now().toISOString().slice(0, 10);
      const asked = { from: FIRST_DAY, to, format: 'csv' } as const;
      const whose: [string, Read] | undefined =
        type === 'customer'
          ? ['wallet', walletReader(ctx)]
          : type === 'creator'
            ? ['earnings', readEarnings]
            : undefined;
      if (!whose) return;
      const [name, read] = whose;
      yield {
        path: `statements/${name}.csv`,
        open: async () => streamOf(await writeStatement(ctx.db, read, { userId: id }, asked)),
      };
    },
  });
}
