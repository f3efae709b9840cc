import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type NoticeEntry = { id: string };
const LIST_NOTICES: SqlStatement = {
  name: 'copyright-export-notices',
  text: `select id, at, reference, kind, name, signature, email, address, telephone from (
      select n.case_id as id, n.at, c.reference, 'notice' as kind, n.name, n.signature, n.email::text, n.address, n.telephone
        from cases c join copyright_notices n on n.case_id = c.id where c.from_id = $1
      union all
      select k.case_id, k.at, c.reference, 'counter-notice', k.name, k.signature, '', k.address, k.telephone
        from copyright_counter_notices k join cases c on c.id = k.case_id where k.user_id = $1
    ) both_kinds where ${beforeIdSql('id', '$2')} order by id desc limit $3`,
};

export function registerNoticeExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'copyright',
    title: texts.noticesExportLabel,
    description: texts.noticesExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<NoticeEntry>((last, size) => db.run<NoticeEntry>(LIST_NOTICES, [id, last?.id ?? null, size])),
  });
}
