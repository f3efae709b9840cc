import { MEASURES } from '@stagedoor/contract/case-kinds.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { beforeId } from '../../kernel/offset.ts';
import { type ArchiveEntry, inPages, registerArchivePart } from '../archive/index.ts';
import { registerClosing } from '../closing/index.ts';
import { appealOf, presentAppeal, wordsOf } from './appeals.ts';
import { forgetPicturesOf } from './pictures.ts';
import { keptProfiles } from './profiles.ts';
import { type DecisionRow, numberOfDecision } from './store.ts';

type Written = { id: string };
const WRITTEN: Statement = {
  name: 'cases-archive',
  text: `select e.id, e.at, c.reference, c.title, e.by as "writtenBy", e.body as text
    from (
      select id, at, case_id, 'you' as by, body from case_entries where by_id = $1 and kind in ('report', 'message')
      union all
      select r.id, r.at, r.case_id, 'us', r.body from cases o join case_entries r on r.case_id = o.id and r.kind = 'reply' where o.from_id = $1
    ) e join cases c on c.id = e.case_id
    where ${beforeId('e.id', '$2')} order by e.id desc limit $3`,
};

const COPYRIGHT: Statement = {
  name: 'cases-archive-copyright',
  text: `select id, at, reference, kind, name, signature, email, address, telephone from (
      select n.case_id as id, n.at, c.reference, 'notice' as kind, n.name, n.signature, n.email::text, n.address, n.telephone
        from cases c join copyright_notices n on n.case_id = c.id where c.from_id = $1
      union all
      select k.case_id, k.at, c.reference, 'counter-notice', k.name, k.signature, '', k.address, k.telephone
        from copyright_counters k join cases c on c.id = k.case_id where k.person_id = $1
    ) both_kinds where ${beforeId('id', '$2')} order by id desc limit $3`,
};

/** The result contains no data about reporters. */
const DECIDED: Statement = {
  name: 'cases-archive-decisions',
  text: `select * from case_decisions where person_id = $1 and act = any ($2::text[]) and ${beforeId('id', '$3')} order by id desc limit $4`,
};

async function* decisionsOf(db: Executor, personId: string): AsyncGenerator<ArchiveEntry> {
  const rows = inPages<DecisionRow>((last, size) =>
    db.run<DecisionRow>(DECIDED, [personId, MEASURES, last?.id ?? null, size]),
  );
  for await (const row of rows) {
    const [appeal] = await appealOf(db, [row.id]);
    const shown = row.subject === 'profile' ? await keptProfiles(db, row.case_id) : [];
    yield {
      ...{ number: numberOfDecision(row.id), at: row.at, decision: wordsOf(row), ground: row.ground, until: row.until },
      ...{ takenBackAt: row.undone_at, yourAppeal: appeal ? presentAppeal(appeal) : null },
      // Users see the profile as it was, but not when it was reported.
      yourProfileThen: shown.map(({ profile: { avatarKey: _, cover: __, ...words } }) => words),
    };
  }
}

const NAMELESS: Statement = {
  name: 'cases-closing',
  text: `update cases set from_name = '', from_email = '' where from_id = $1 and (from_name <> '' or from_email <> '')`,
};

export function registerOwn(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'help',
    title: 'Messages to Stagedoor',
    lead: 'Your questions and reports with our replies, newest first.',
    entries: ({ db }, { id }) =>
      inPages<Written>((last, size) => db.run<Written>(WRITTEN, [id, last?.id ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'copyright',
    title: 'Copyright notices and counter-notices',
    lead: 'The contact details you gave in each, newest first. The texts are under Messages to Stagedoor.',
    entries: ({ db }, { id }) =>
      inPages<Written>((last, size) => db.run<Written>(COPYRIGHT, [id, last?.id ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'decisions',
    title: 'Decisions on your account',
    lead: 'Our decisions on your account and content, with reasons. For your profile, also what it showed at the time.',
    entries: ({ db }, { id }) => decisionsOf(db, id),
  });
  registerClosing(ctx, 'cases', {
    erase: async (tools, { userId }, signal) => {
      await tools.db.run(NAMELESS, [userId]);
      await forgetPicturesOf(tools, userId, signal);
    },
  });
}
