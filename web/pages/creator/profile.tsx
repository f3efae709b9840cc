/** The creator's profile editor (row B4) with a live preview of how it will hang. */
import { listCreatorPosts } from '@stagedoor/contract/posts.ts';
import { getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { useState } from 'react';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { PostWall } from '../../features/posts/post-wall.tsx';
import { PicturePicker } from '../../features/profile-editor/picture-picker.tsx';
import { ProfileEditor, type WholeBody } from '../../features/profile-editor/profile-editor.tsx';
import { profileHref } from '../../features/profiles/creator-card.tsx';
import { ProfileAside, ProfileHead } from '../../features/profiles/profile-head.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Your profile' });

/** As many posts as the preview hangs. */
const hungOf = (creatorId: string) => ({ params: { creatorId }, query: { limit: 3 } });

const load: PageLoad<null> = async ({ client }) => {
  const { id } = await client.ensureQueryData(apiQuery(getOwnProfile, {}));
  await client.ensureQueryData(apiQuery(listCreatorPosts, hungOf(id)));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function OwnProfile() {
  const profile = useApi(getOwnProfile, {});
  const { data: posts } = useApi(listCreatorPosts, hungOf(profile.id));
  const [draft, setDraft] = useState<WholeBody>(profile);
  const shown = { ...profile, ...draft };
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-6">
        <h1 className="display d2">Your profile</h1>
        <Button variant="quiet" icon="external" href={profileHref(profile)}>
          See it as others do
        </Button>
      </div>
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-14">
        <div className="grid min-w-0 content-start gap-9">
          <PicturePicker profile={profile} />
          <ProfileEditor profile={profile} onDraft={setDraft} />
        </div>
        <section
          aria-label="Preview"
          className="min-w-0 self-start overflow-hidden border border-line lg:sticky lg:top-6 lg:max-h-[calc(100vh-48px)]"
        >
          <div inert className="[&_.cover]:h-72 [&_.d1]:text-d2 [&_.sticky-bar]:hidden [&_.facts]:hidden">
            <ProfileHead profile={shown} actions={null} />
            <div className="grid gap-7 px-edge py-5">
              <ProfileAside profile={shown} aboutHref="#" />
              <PostWall posts={posts} look={shown} />
            </div>
          </div>
        </section>
      </div>
    </>
  );
}
