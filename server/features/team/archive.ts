import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { LAST_ID } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';
import { inPages, registerArchivePart } from '../archive/index.ts';
import * as store from './store.ts';

const DONE: Statement = {
  name: 'team-archive-done',
  text: `select id, creator_id as "creatorId", at, what from team_acts where member_id = $1 and refused is null and id < $2 order by id desc limit $3`,
};
type Done = { id: string; creatorId: string; at: Date; what: string };

export function registerTeamPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'team',
    title: 'Teams',
    lead: 'Your team members and the teams you’re on, with permissions and activity.',
    entries: async function* ({ db }, { id }) {
      const members = await store.membersOf(db, id);
      const memberships = await store.membershipsOf(db, id);
      const nameOf = async (userId: string) => (await findPeople(db, [userId])).get(userId)?.username ?? '';
      for (const { memberId, rights, since } of members)
        yield { kind: 'in your team', who: await nameOf(memberId), rights: rights.join(', '), at: since };
      for (const { creatorId, rights, since } of memberships)
        yield { kind: 'you act for', who: await nameOf(creatorId), rights: rights.join(', '), at: since };
      for await (const act of inPages<store.Act>((last, size) => store.actsOf(db, id, last?.id ?? LAST_ID, 0, size)))
        yield { kind: 'done in your name', who: await nameOf(act.memberId), what: act.what, at: act.at };
      for await (const act of inPages<Done>((last, size) => db.run<Done>(DONE, [id, last?.id ?? LAST_ID, size])))
        yield { kind: 'done by you', who: await nameOf(act.creatorId), what: act.what, at: act.at };
    },
  });
}
