/**
 * The export contains the creators that a user follows, but not their followers, because those are other users' data.
 */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import * as texts from './texts.ts';

type ExportedFollow = { creatorId: string };
const FOLLOWS: SqlStatement = {
  name: 'follows-export',
  text: `select f.creator_id as "creatorId", u.username, u.name, f.created_at as since from follows f join users u on u.id = f.creator_id
    where f.fan_id = $1 and ${afterIdSql('f.creator_id', '$2')} order by f.creator_id limit $3`,
};

export function registerFollowExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'follows',
    title: 'Following',
    description: texts.followsExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedFollow>((last, size) =>
        db.run<ExportedFollow>(FOLLOWS, [id, last?.creatorId ?? null, size]),
      ),
  });
}
