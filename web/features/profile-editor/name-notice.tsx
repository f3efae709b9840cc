import type { NameReview } from '@stagedoor/contract/profiles.ts';
import { isolated } from '../../kernel/bidi.ts';
import { Banner } from '../../ui/states.tsx';

export function NameNotice({ review }: { review: NameReview }) {
  const name = isolated(review.name);
  const verified = isolated(review.verifiedName);
  return (
    <Banner>
      {review.state === 'waiting'
        ? `Your new name, ${name}, is under review. You’ll get your verified badge back once it’s approved. Switch back to ${verified} to keep it now.`
        : `We couldn’t approve the name ${name}: ${isolated(review.ground)}. You’re shown as ${verified}.`}
    </Banner>
  );
}
