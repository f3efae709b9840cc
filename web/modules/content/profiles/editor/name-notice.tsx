import type { NameReview } from '@stagedoor/contract/content/profiles.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { Banner } from '../../../../ui/states.tsx';

export function NameNotice({ review }: { review: NameReview }) {
  const name = isolateText(review.name);
  const verified = isolateText(review.verifiedName);
  return (
    <Banner>
      {review.state === 'waiting'
        ? `Your new name, ${name}, is under review. You’ll get your verified badge back once it’s approved. Switch back to ${verified} to keep it now.`
        : `We couldn’t approve the name ${name}: ${isolateText(review.reason)}. You’re shown as ${verified}.`}
    </Banner>
  );
}
