import { addDismissed, DISMISSED_COOKIE } from '@stagedoor/contract/shared/dismissed-announcements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { PageSiteStatus } from '@stagedoor/contract/shared/page-frame.ts';
import { readCookie, writeCookie } from '../../../platform/cookies.ts';
import { LinkedText } from '../../../platform/linked-text.tsx';
import { useViewer } from '../../../platform/session.ts';
import { setSiteStatus, useSiteStatus } from '../../../platform/site-status.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

type Announcement = NonNullable<PageSiteStatus['announcements']>[number];

/** Longer than any announcement is shown. */
const DISMISSED_SECONDS = 100 * 86_400;
const SHORT_TEXT_LENGTH = 110;

function AnnouncementText({ title, text }: Announcement) {
  if (text === '') return <bdi className="block font-semibold wrap-anywhere">{title}</bdi>;
  if (text.length <= SHORT_TEXT_LENGTH)
    return (
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{title}</bdi>{' '}
        <bdi>
          <LinkedText text={text} />
        </bdi>
      </p>
    );
  return (
    <details className="wrap-anywhere">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2">
        <bdi className="font-semibold">{title}</bdi>
        <span className="underline underline-offset-4">{texts.read}</span>
      </summary>
      <bdi className="block max-w-[70ch] pb-2">
        <LinkedText text={text} />
      </bdi>
    </details>
  );
}

/** @param userId The owner of the page. Dismissed announcements are stored per user on this device. */
function Announcements({ userId, announcements }: { userId: string; announcements: readonly Announcement[] }) {
  const siteStatus = useSiteStatus();
  const dismiss = (id: string) => {
    writeCookie(DISMISSED_COOKIE, addDismissed(readCookie(DISMISSED_COOKIE), userId, id), DISMISSED_SECONDS);
    setSiteStatus({ ...siteStatus, announcements: announcements.filter((one) => one.id !== id) });
    document.getElementById('main')?.focus();
  };
  return announcements.map((one) => (
    <Banner
      key={one.id}
      kind={one.level === 'important' ? 'warn' : 'notice'}
      action={
        one.isDismissable && (
          <IconButton
            icon="close"
            label={formatText(texts.closeBanner, { title: one.title })}
            onClick={() => dismiss(one.id)}
          />
        )
      }
    >
      <AnnouncementText {...one} />
    </Banner>
  ));
}

/** Visitors see no announcements. */
export function SiteStatusBanners({ maintenance, announcements }: PageSiteStatus) {
  const { id = '' } = useViewer() ?? {};
  return (
    <div className="notices">
      {maintenance !== undefined && <Banner kind="warn">{maintenance}</Banner>}
      {announcements && <Announcements userId={id} announcements={announcements} />}
    </div>
  );
}
