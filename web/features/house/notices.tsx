import { CLOSED_COOKIE, withClosed } from '@stagedoor/contract/atoms/closed-notices.ts';
import type { HouseSaid } from '@stagedoor/contract/page-frame.ts';
import { readCookie, writeCookie } from '../../kernel/cookies.ts';
import { takeHouse, useHouse } from '../../kernel/house.ts';
import { useViewer } from '../../kernel/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';

type Announcement = NonNullable<HouseSaid['announcements']>[number];

/** Longer than any announcement is shown. */
const CLOSED_SECONDS = 100 * 86_400;
const SHORT = 110;

function Words({ title, text }: Announcement) {
  if (text === '') return <bdi className="block font-semibold wrap-anywhere">{title}</bdi>;
  if (text.length <= SHORT)
    return (
      <p className="wrap-anywhere">
        <bdi className="font-semibold">{title}</bdi> <bdi>{text}</bdi>
      </p>
    );
  return (
    <details className="wrap-anywhere">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2">
        <bdi className="font-semibold">{title}</bdi>
        <span className="underline underline-offset-4">Read</span>
      </summary>
      <bdi className="block max-w-[70ch] pb-2">{text}</bdi>
    </details>
  );
}

/** @param userId The owner of the page. Dismissed announcements are stored per user on this device. */
function Announcements({ userId, said }: { userId: string; said: readonly Announcement[] }) {
  const house = useHouse();
  const close = (id: string) => {
    writeCookie(CLOSED_COOKIE, withClosed(readCookie(CLOSED_COOKIE), userId, id), CLOSED_SECONDS);
    takeHouse({ ...house, announcements: said.filter((one) => one.id !== id) });
    document.getElementById('main')?.focus();
  };
  return said.map((one) => (
    <Banner
      key={one.id}
      kind={one.level === 'important' ? 'warn' : 'notice'}
      action={
        one.isDismissable && <IconButton icon="close" label={`Close: ${one.title}`} onClick={() => close(one.id)} />
      }
    >
      <Words {...one} />
    </Banner>
  ));
}

/** Visitors see no announcements. */
export function Notices({ maintenance, announcements }: HouseSaid) {
  const { id = '' } = useViewer() ?? {};
  return (
    <div className="notices">
      {maintenance !== undefined && <Banner kind="warn">{maintenance}</Banner>}
      {announcements && <Announcements userId={id} said={announcements} />}
    </div>
  );
}
