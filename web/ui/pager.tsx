import { Button } from './button.tsx';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export const pageSizes = [10, 30, 50] as const;

export interface PagerProps {
  moreHref?: string | undefined;
  onMore?: (() => void) | undefined;
  busy?: boolean | undefined;
  endText?: string | undefined;
  shown?: string | undefined;
  size?: number | undefined;
  sizeHref?: ((size: number) => string) | undefined;
  sizeLabel?: string | undefined;
}

export function Pager({
  moreHref,
  onMore,
  busy,
  endText,
  shown,
  size,
  sizeHref,
  sizeLabel = texts.itemsPerPage,
}: PagerProps) {
  return (
    <div className="pager">
      {onMore ? (
        <Button onClick={onMore} busy={busy ?? false} busyText={texts.loadingProgress}>
          {texts.loadMore}
        </Button>
      ) : moreHref !== undefined ? (
        <Button href={moreHref} rel="next">
          {texts.loadMore}
        </Button>
      ) : (
        endText && <p className="pager__end">{endText}</p>
      )}
      {shown && <p className="pager__end num">{shown}</p>}
      {sizeHref && (
        <nav className="pager__sizes num" aria-label={sizeLabel}>
          <span>{texts.show}</span>
          {pageSizes.map((each) => (
            <UiLink key={each} href={sizeHref(each)} aria-current={each === size ? 'true' : undefined}>
              {each}
            </UiLink>
          ))}
        </nav>
      )}
    </div>
  );
}
