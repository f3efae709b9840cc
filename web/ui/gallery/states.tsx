import { Button } from '../button.tsx';
import { Pager } from '../pager.tsx';
import {
  Banner,
  EmptyState,
  ErrorState,
  Progress,
  Skeleton,
  SkeletonCards,
  SkeletonRows,
  Spinner,
} from '../states.tsx';
import { GalleryLine, Group, type ThemeProps } from './group.tsx';

export function StateGallery({ theme }: ThemeProps) {
  return (
    <>
      <Group title="Empty, error">
        <EmptyState
          line="Nothing bought yet."
          more="What you unlock stays here."
          action={<Button href="#look">Look around</Button>}
        />
        <ErrorState
          onRetry={() => undefined}
          more="We could not reach the server. Nothing was charged."
          requestId="01JD8-4F2K"
        />
        <ErrorState onRetry={() => undefined} busy />
      </Group>
      <Group title="Banners">
        <Banner kind="test" center>
          Test mode: no real money moves.
        </Banner>
        <Banner kind="offline">You are offline. What you write is kept and sent later.</Banner>
        <Banner kind="notice" action={<Button variant="quiet">Undo</Button>}>
          The price changed since you opened this page.
        </Banner>
        <Banner kind="warn" inline>
          About 2 minutes of talk time left.
        </Banner>
        <Banner kind="success" inline>
          Verified. You can publish now.
        </Banner>
        <Banner kind="error" action={<Button variant="quiet">Try again</Button>}>
          The card was declined. Use another card or ask your bank.
        </Banner>
      </Group>
      <Group title="Progress">
        <Progress label="kiln-opening.mp4" value={62} text="62 % · 40 s left" />
        <Progress label="Checking the file" />
        <GalleryLine>
          <Spinner />
          <span className="text-muted">Loading…</span>
        </GalleryLine>
        <Pager
          moreHref="#more"
          shown="30 of 148"
          size={30}
          sizeLabel={`Items per page, ${theme}`}
          sizeHref={(size) => `#${theme}-${size}`}
        />
        <Pager onMore={() => undefined} busy />
        <Pager endText="You are all caught up." />
      </Group>
      <Group title="Skeletons">
        <SkeletonRows count={2} />
        <SkeletonCards count={2} className="gallery__pair" />
        <Skeleton shape="text" style={{ width: 200 }} />
      </Group>
    </>
  );
}
