import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { LAST_ID } from '../../../platform/database/pagination.ts';
import { findUserSummaries } from '../accounts/index.ts';
import { iteratePages, registerExportPart } from '../data-export/index.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const LIST_DONE: SqlStatement = {
  name: 'teams-export-done',
  text: `select id, creator_id as "creatorId", at, action from team_actions where member_id = $1 and refused_action_id is null and id < $2 order by id desc limit $3`,
};
type DoneAction = { id: string; creatorId: string; at: Date; action: string };

export function registerTeamExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'team',
    title: 'Teams',
    description: texts.teamsExportDescription,
    entries: async function* ({ db }, { id }) {
      const members = await store.listMembers(db, id);
      const memberships = await store.listMemberships(db, id);
      const getUsername = async (userId: string) => (await findUserSummaries(db, [userId])).get(userId)?.username ?? '';
      for (const { memberId, rights, since } of members)
        yield { kind: 'in your team', username: await getUsername(memberId), rights: rights.join(', '), at: since };
      for (const { creatorId, rights, since } of memberships)
        yield { kind: 'you act for', username: await getUsername(creatorId), rights: rights.join(', '), at: since };
      for await (const action of iteratePages<store.TeamActionRow>((last, size) =>
        store.listActions(db, id, last?.id ?? LAST_ID, 0, size),
      ))
        yield {
          kind: 'done in your name',
          username: await getUsername(action.memberId),
          action: action.description,
          at: action.at,
        };
      for await (const action of iteratePages<DoneAction>((last, size) =>
        db.run<DoneAction>(LIST_DONE, [id, last?.id ?? LAST_ID, size]),
      ))
        yield {
          kind: 'done by you',
          username: await getUsername(action.creatorId),
          action: action.action,
          at: action.at,
        };
    },
  });
}
