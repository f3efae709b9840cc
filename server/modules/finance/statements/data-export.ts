import { Readable } from 'node:stream';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { registerExportPart } from '../../identity/data-export/index.ts';
import { createWalletReader, readEarnings } from './read.ts';
import { type ReadStatement, writeStatement } from './service.ts';
import * as texts from './texts.ts';

const FIRST_DAY = '2000-01-01';

const toStream = ({ body }: Pick<FileResponse, 'body'>) =>
  body instanceof Readable ? body : Readable.from(body, { objectMode: false });

export function registerStatementExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'statements',
    title: 'Statements',
    description: texts.statementsExportHint,
    files: async function* (_ctx, { id, type }) {
      const to = ctx.clock.now().toISOString().slice(0, 10);
      const query = { from: FIRST_DAY, to, format: 'csv' } as const;
      const reader: [string, ReadStatement] | undefined =
        type === 'customer'
          ? ['wallet', createWalletReader(ctx)]
          : type === 'creator'
            ? ['earnings', readEarnings]
            : undefined;
      if (!reader) return;
      const [name, read] = reader;
      yield {
        path: `statements/${name}.csv`,
        open: async () => toStream(await writeStatement(ctx.db, read, { userId: id }, query)),
      };
    },
  });
}
