/** The creator's profile editor (row B4) with a live preview made of the components of the public page. */

import { listCreatorPosts } from '@stagedoor/contract/content/posts.ts';
import { getOwnProfile, type Profile } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { useState } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { PostGallery } from '../../modules/content/posts/post-gallery.tsx';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { NameNotice } from '../../modules/content/profiles/editor/name-notice.tsx';
import { PicturePicker } from '../../modules/content/profiles/editor/picture-picker.tsx';
import { useProfileDraft } from '../../modules/content/profiles/editor/profile-draft.ts';
import { ProfileEditor } from '../../modules/content/profiles/editor/profile-editor.tsx';
import { OwnTipGoal } from '../../modules/finance/tip-goals/own-tip-goal.tsx';
import { tipGoalQuery } from '../../modules/finance/tip-goals/tip-goal-card.tsx';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../platform/leave-guard.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ProfileView } from '../profile-view.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.yourProfile });

const toPostsRequest = (creatorId: Profile['id']) => ({ params: { creatorId }, query: { limit: 6 } });

const load: PageLoad<{ now: string }> = async ({ client }) => {
  const { id } = await client.ensureQueryData(apiQuery(getOwnProfile, {}));
  await Promise.all([
    client.ensureQueryData(apiQuery(listCreatorPosts, toPostsRequest(id))),
    client.prefetchQuery(tipGoalQuery(id)),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const SCREENS = {
  phone: { label: texts.phone, width: 390, height: 780 },
  desktop: { label: texts.desktop, width: 1352, height: 1300 },
} as const;
type Screen = keyof typeof SCREENS;

function Preview({ profile }: { profile: Profile }) {
  const { data: posts } = useApi(listCreatorPosts, toPostsRequest(profile.id));
  const [screen, setScreen] = useState<Screen>('phone');
  const { width, height } = SCREENS[screen];
  return (
    <section aria-label={texts.preview} className="min-w-0 self-start lg:sticky lg:top-6">
      <Segmented
        name="screen"
        label={texts.previewDevice}
        className="mb-3"
        value={screen}
        options={Object.entries(SCREENS).map(([value, { label }]) => ({ value, label }))}
        onValueChange={(value) => setScreen(value === 'desktop' ? 'desktop' : 'phone')}
      />
      <div className="mx-auto border border-line" style={{ maxWidth: width + 2 }}>
        <PreviewFrame key={screen} title={texts.howOthersSeeYourProfile} width={width} height={height}>
          <ProfileView
            profile={profile}
            tab="posts"
            actions={
              <>
                <Button className="follow">{texts.follow}</Button>
                <span className="flex-1" />
                <IconButton icon="share" label={texts.share} />
              </>
            }
          >
            {posts.length === 0 ? (
              <EmptyState line={texts.noPostsYet} />
            ) : (
              <div className="pt-5 pb-9">
                <PostGallery posts={posts} layout={profile} />
              </div>
            )}
          </ProfileView>
        </PreviewFrame>
      </div>
    </section>
  );
}

export default function OwnProfile() {
  const { now } = useLoaderData<typeof loader>();
  const profile = useApi(getOwnProfile, {});
  const editor = useProfileDraft(profile);
  const leaveGuard = useLeaveGuard(editor.isDirty, editor.isSaving);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-6">
        <h1 className="display d2">{texts.yourProfile}</h1>
        <div className="-mr-2.5 flex flex-wrap">
          <Button variant="quiet" icon="image" href={PUBLIC_PATHS.themeEdit}>
            {texts.theme}
          </Button>
          <Button variant="quiet" icon="people" href={PATHS.creatorFollowers}>
            {texts.followers}
          </Button>
          <Button variant="quiet" icon="phone" href={PATHS.creatorCalls}>
            {texts.calls}
          </Button>
          <Button variant="quiet" icon="device" href={PATHS.creatorCard}>
            {texts.printableQrCard}
          </Button>
          <Button variant="quiet" icon="external" href={toProfileHref(profile)}>
            {texts.viewAsVisitor}
          </Button>
          <Button variant="quiet" icon="settings" href={PATHS.creatorSettings}>
            {texts.settings}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-14">
        <div className="grid min-w-0 grid-cols-1 content-start gap-9">
          <PicturePicker
            profile={profile}
            focus={editor.draft.coverFocus}
            onFocus={(coverFocus) => editor.change({ coverFocus })}
          />
          {profile.nameReview && <NameNotice review={profile.nameReview} />}
          <ProfileEditor {...editor} isVerified={profile.isVerified} />
          <OwnTipGoal creatorId={profile.id} now={now} />
        </div>
        <Preview profile={editor.preview} />
      </div>
      <ConfirmDialog
        open={leaveGuard.isPrompting}
        onOpenChange={(isOpen) => !isOpen && leaveGuard.stay()}
        {...UNSAVED_DIALOG}
        onConfirm={leaveGuard.leave}
      />
    </>
  );
}
