import type { NameReview } from '@stagedoor/contract/profiles.ts';
import { isolated } from '../../kernel/bidi.ts';
import { Banner } from '../../ui/states.tsx';

export function NameNotice({ review }: { review: NameReview }) {
  const name = isolated(review.name);
  const verified = isolated(review.verifiedName);
  return (
    <Banner>
      {review.state === 'waiting'
        ? `You are shown as ${name}, without the tick until we have looked at this name. As ${verified} you have it at once.`
        : `We could not take the name ${name}: ${isolated(review.ground)}. You are shown as ${verified}, with the tick.`}
    </Banner>
  );
}
