import type { NameReview } from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { Banner } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

export function NameNotice({ review }: { review: NameReview }) {
  const name = isolateText(review.name);
  const verified = isolateText(review.verifiedName);
  return (
    <Banner>
      {review.state === 'waiting'
        ? formatText(texts.nameUnderReview, { name, verified })
        : formatText(texts.nameRefused, { name, reason: isolateText(review.reason), verified })}
    </Banner>
  );
}
