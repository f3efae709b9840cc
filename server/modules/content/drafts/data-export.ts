import { type PostDetails, parsePostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type ExportedDraft = { id: string; details: Partial<PostDetails> };
const DRAFTS: SqlStatement = {
  name: 'drafts-export',
  text: `select d.id, d.caption, d.details, d.price_cents / 100.0 as price, d.scheduled_at as "scheduledAt", d.created_at as "createdAt",
      d.updated_at as "changedAt", array(select m.media_id from draft_media m where m.draft_id = d.id order by m.position) as "mediaIds"
    from drafts d where d.creator_id = $1 and ${beforeIdSql('d.id', '$2')} order by d.id desc limit $3`,
};

export function registerDraftExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'drafts',
    title: 'Drafts',
    description: texts.draftsExportDescription,
    entries: async function* ({ db }, { id }) {
      const rows = iteratePages<ExportedDraft>((last, size) =>
        db.run<ExportedDraft>(DRAFTS, [id, last?.id ?? null, size]),
      );
      for await (const { details, ...draft } of rows) yield { ...draft, ...parsePostDetails(details) };
    },
  });
}
