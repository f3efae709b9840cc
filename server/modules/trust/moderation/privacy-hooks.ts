import { MEASURES } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { type ExportEntry, iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import { formatDecision, listAppeals, presentAppeal } from './appeals.ts';
import { deleteUserPictures } from './pictures.ts';
import { listProfileSnapshots } from './profile-snapshots.ts';
import { type CaseDecisionRow, toDecisionNumber } from './store.ts';
import * as texts from './texts.ts';

type WrittenEntry = { id: string };
const LIST_WRITTEN: SqlStatement = {
  name: 'moderation-export',
  text: `select e.id, e.at, c.reference, c.title, e.by as "writtenBy", e.body as text
    from (
      select id, at, case_id, 'you' as by, body from case_entries where by_id = $1 and kind in ('report', 'message')
      union all
      select r.id, r.at, r.case_id, 'us', r.body from cases o join case_entries r on r.case_id = o.id and r.kind = 'reply' where o.from_id = $1
    ) e join cases c on c.id = e.case_id
    where ${beforeIdSql('e.id', '$2')} order by e.id desc limit $3`,
};

/** The result contains no data about reporters. */
const LIST_DECISIONS: SqlStatement = {
  name: 'moderation-export-decisions',
  text: `select * from case_decisions where user_id = $1 and action = any ($2::text[]) and ${beforeIdSql('id', '$3')} order by id desc limit $4`,
};

async function* readDecisions(db: Executor, userId: string): AsyncGenerator<ExportEntry> {
  const rows = iteratePages<CaseDecisionRow>((last, size) =>
    db.run<CaseDecisionRow>(LIST_DECISIONS, [userId, MEASURES, last?.id ?? null, size]),
  );
  for await (const row of rows) {
    const [appeal] = await listAppeals(db, [row.id]);
    const snapshots = row.subject === 'profile' ? await listProfileSnapshots(db, row.case_id) : [];
    yield {
      ...{
        number: toDecisionNumber(row.id),
        at: row.at,
        decision: formatDecision(row),
        reason: row.reason,
        until: row.until,
      },
      ...{ undoneAt: row.undone_at, yourAppeal: appeal ? presentAppeal(appeal) : null },
      // Users see the profile as it was, but not when it was reported.
      yourProfileThen: snapshots.map(({ profile: { avatarKey: _, cover: __, ...profileText } }) => profileText),
    };
  }
}

const DELETE_NAMES: SqlStatement = {
  name: 'moderation-delete-names',
  text: `update cases set from_name = '', from_email = '' where from_id = $1 and (from_name <> '' or from_email <> '')`,
};

export function registerCasePrivacy(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'help',
    title: texts.messagesExportLabel,
    description: texts.messagesExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<WrittenEntry>((last, size) => db.run<WrittenEntry>(LIST_WRITTEN, [id, last?.id ?? null, size])),
  });
  registerExportPart(ctx, {
    name: 'decisions',
    title: texts.decisionsExportLabel,
    description: texts.decisionsExportDescription,
    entries: ({ db }, { id }) => readDecisions(db, id),
  });
  registerDeletionStep(ctx, 'moderation', {
    erase: async (context, { userId }, signal) => {
      await context.db.run(DELETE_NAMES, [userId]);
      await deleteUserPictures(context, userId, signal);
    },
  });
}
