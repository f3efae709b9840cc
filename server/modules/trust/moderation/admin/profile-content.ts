import { SOCIAL_NETWORK_DETAILS } from '@stagedoor/contract/content/social-links.ts';
import { caseProfileId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { Executor } from '../../../../platform/database/db.ts';
import { coverUrl } from '../../../content/media/index.ts';
import { loadProfileContent, type ProfileContent } from '../../../content/profiles/index.ts';
import { toAvatarUrl } from '../../../identity/accounts/index.ts';
import { listProfileSnapshots, type ProfilePicture } from '../profile-snapshots.ts';
import { type CaseRow, findDecision } from '../store.ts';
import type { CaseContentView, EvidenceContent } from './content-view.ts';

type ProfileVersion = CaseContentView['profiles'][number];

function toProfileDetails({
  name,
  username,
  craft,
  city,
  bio,
  links,
  customLinks,
}: ProfileContent): Pick<ProfileVersion, 'details' | 'links'> {
  const details = { Name: name, Username: username, Craft: craft, City: city, About: bio };
  return {
    details: Object.entries(details).flatMap(([label, value]) => (value === '' ? [] : [{ name: label, value }])),
    links: [...links.map(({ network, url }) => ({ label: SOCIAL_NETWORK_DETAILS[network].name, url })), ...customLinks],
  };
}

const toPictureUrl = (caseId: string, id: string, pictureKind: ProfilePicture) =>
  `/api/admin/cases/${caseId}/profiles/${id}/${pictureKind}`;

/** An appeal also shows the snapshots of the original case. */
export async function findProfileContent(
  db: Executor,
  { id, user_id: userId, decision_id: decisionId }: Pick<CaseRow, 'id' | 'user_id' | 'decision_id'>,
): Promise<EvidenceContent | undefined> {
  const decision = decisionId === null ? undefined : await findDecision(db, decisionId);
  const [snapshots, current] = await Promise.all([
    listProfileSnapshots(db, id, ...(decision ? [decision.case_id] : [])),
    userId === null ? undefined : loadProfileContent(db, userId),
  ]);
  if (snapshots.length === 0 && !current) return undefined;
  const earlierVersions = snapshots.map(({ id: profileId, at, caseId, profile, pictures }): ProfileVersion => {
    const getUrl = (pictureKind: ProfilePicture) =>
      pictures.includes(pictureKind) ? toPictureUrl(caseId, profileId, pictureKind) : null;
    return {
      ...{
        id: z.parse(caseProfileId, profileId),
        at: at.toISOString(),
        isCurrent: false,
        ...toProfileDetails(profile),
      },
      ...{ avatarUrl: getUrl('avatar'), coverUrl: getUrl('cover') },
    };
  });
  const toCurrentVersion = (at: string): ProfileVersion[] =>
    current
      ? [
          {
            ...{ id: null, at, isCurrent: true, ...toProfileDetails(current) },
            ...{ avatarUrl: toAvatarUrl(current.avatarKey), coverUrl: current.cover && coverUrl(current.cover) },
          },
        ]
      : [];
  return {
    ...{ mediaIds: [], fileIds: [], broadcastId: null, media: [], files: [], isDeleted: current === undefined },
    texts: async () => [],
    profiles: (at) => ({
      shown: [...earlierVersions, ...toCurrentVersion(at)],
      ids: snapshots.map((snapshot) => snapshot.id),
    }),
  };
}
