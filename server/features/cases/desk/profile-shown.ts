import { caseProfileId } from '@stagedoor/contract/atoms/ids.ts';
import { NETWORKS } from '@stagedoor/contract/social.ts';
import * as z from 'zod/mini';
import type { Executor } from '../../../kernel/db.ts';
import { avatarUrl } from '../../accounts/index.ts';
import { coverUrl } from '../../media/index.ts';
import { readShown, type ShownProfile } from '../../profiles/index.ts';
import { keptProfiles, type ProfilePicture } from '../profiles.ts';
import { type CaseRow, findDecision } from '../store.ts';
import type { Found, Thing } from './thing.ts';

type Shown = Thing['profiles'][number];

function wordsOf({ name, username, craft, city, bio, links, ownLinks }: ShownProfile): Pick<Shown, 'facts' | 'links'> {
  const facts = { Name: name, Username: username, Craft: craft, City: city, About: bio };
  return {
    facts: Object.entries(facts).flatMap(([fact, value]) => (value === '' ? [] : [{ name: fact, value }])),
    links: [...links.map(({ network, url }) => ({ label: NETWORKS[network].name, url })), ...ownLinks],
  };
}

const pictureUrl = (caseId: string, id: string, which: ProfilePicture) =>
  `/api/admin/cases/${caseId}/profiles/${id}/${which}`;

/** An appeal also shows the snapshots of the original case. */
export async function profileOf(
  db: Executor,
  { id, person_id: personId, decision_id: decisionId }: Pick<CaseRow, 'id' | 'person_id' | 'decision_id'>,
): Promise<Found | undefined> {
  const decision = decisionId === null ? undefined : await findDecision(db, decisionId);
  const [kept, now] = await Promise.all([
    keptProfiles(db, id, ...(decision ? [decision.case_id] : [])),
    personId === null ? undefined : readShown(db, personId),
  ]);
  if (kept.length === 0 && !now) return undefined;
  const before = kept.map(({ id: profileId, at, caseId, profile, pictures }): Shown => {
    const urlOf = (which: ProfilePicture) => (pictures.includes(which) ? pictureUrl(caseId, profileId, which) : null);
    return {
      ...{ id: z.parse(caseProfileId, profileId), at: at.toISOString(), isNow: false, ...wordsOf(profile) },
      ...{ avatarUrl: urlOf('avatar'), coverUrl: urlOf('cover') },
    };
  });
  const asItIs = (at: string): Shown[] =>
    now
      ? [
          {
            ...{ id: null, at, isNow: true, ...wordsOf(now) },
            ...{ avatarUrl: avatarUrl(now.avatarKey), coverUrl: now.cover && coverUrl(now.cover) },
          },
        ]
      : [];
  return {
    ...{ mediaIds: [], fileIds: [], broadcastId: null, media: [], files: [], isGone: now === undefined },
    texts: async () => [],
    profiles: (at) => ({ shown: [...before, ...asItIs(at)], ids: kept.map((one) => one.id) }),
  };
}
