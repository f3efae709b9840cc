import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

type Step = { words: string; href: string; isDone: boolean; review?: string | undefined };

export type SetupOf = {
  profile: Pick<Profile, 'bio' | 'craft' | 'avatarUrl' | 'cover' | 'totalPostCount' | 'isVerified'>;
  hasPayoutMethod: boolean;
  review?: string | undefined;
};

export function setupSteps({ profile, hasPayoutMethod, review }: SetupOf): Step[] {
  const editor = PATHS.creatorProfile;
  return [
    { words: 'Add your bio and category', href: editor, isDone: profile.bio !== '' && profile.craft !== '' },
    { words: 'Add a profile photo', href: editor, isDone: profile.avatarUrl !== null },
    { words: 'Add a cover photo', href: editor, isDone: profile.cover !== null },
    { words: 'Publish your first post', href: PATHS.creatorNewPost, isDone: profile.totalPostCount > 0 },
    { words: 'Verify your identity', href: PATHS.creatorVerification, isDone: profile.isVerified, review },
    { words: 'Add a payout method', href: `${PATHS.creatorFees}#methods`, isDone: hasPayoutMethod },
  ];
}

export function SetupCard(setup: SetupOf) {
  const steps = setupSteps(setup);
  if (steps.every((step) => step.isDone)) return null;
  // A step under review needs no action by the creator.
  const next = steps.find((step) => !step.isDone && !step.review);
  return (
    <Card labelledBy="setup">
      <div className="flex items-baseline justify-between">
        <h2 className="display d4" id="setup">
          Finish setting up
        </h2>
        <span className="num text-small text-muted">
          {steps.filter((step) => step.isDone).length} of {steps.length} done
        </span>
      </div>
      <ol className={next ? 'my-4' : 'mt-4'}>
        {steps.map((step) => (
          <li
            key={step.words}
            className={cx(
              'grid grid-cols-[24px_1fr] items-center gap-3 border-t border-line py-2.5',
              step.isDone && 'text-muted',
            )}
          >
            {step.isDone ? (
              <Icon name="check" size={18} />
            ) : step.review ? (
              <Icon name="clock" size={18} />
            ) : (
              <span className="size-[18px] rounded-full border-[1.5px] border-line-strong" />
            )}
            <span>
              {step.words}
              {step.isDone && <span className="sr-only"> (done)</span>}
              {!step.isDone && step.review && (
                <span className="block text-note text-muted">
                  <Lamp state="busy">Under review</Lamp> <span className="block">{step.review}</span>
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {next && (
        <Button variant="primary" wide href={next.href}>
          {next.words}
        </Button>
      )}
    </Card>
  );
}
