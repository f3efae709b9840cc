/** The one bordered card: what is left to do before the door is open. It goes when everything is done. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Profile } from '@stagedoor/contract/profiles.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';

type Step = { words: string; href: string; isDone: boolean };

/** The steps in the order in which they help most. */
export function setupSteps(profile: Profile, hasPayoutMethod: boolean): Step[] {
  const editor = PATHS.creatorProfile;
  return [
    { words: 'Say who you are', href: editor, isDone: profile.bio !== '' && profile.craft !== '' },
    { words: 'Show your face', href: editor, isDone: profile.avatarUrl !== null },
    { words: 'Hang a cover', href: editor, isDone: profile.cover !== null },
    { words: 'Publish your first post', href: PATHS.creatorNewPost, isDone: profile.totalPostCount > 0 },
    { words: 'Show us it’s you', href: PATHS.creatorVerification, isDone: profile.isVerified },
    { words: 'Say where you are paid', href: `${PATHS.creatorFees}#methods`, isDone: hasPayoutMethod },
  ];
}

export function SetupCard({ profile, hasPayoutMethod }: { profile: Profile; hasPayoutMethod: boolean }) {
  const steps = setupSteps(profile, hasPayoutMethod);
  const next = steps.find((step) => !step.isDone);
  if (!next) return null;
  return (
    <Card labelledBy="setup">
      <div className="flex items-baseline justify-between">
        <h2 className="display d4" id="setup">
          Open your door
        </h2>
        <span className="num text-small text-muted">
          {steps.filter((step) => step.isDone).length} of {steps.length} done
        </span>
      </div>
      <ol className="my-4">
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
            ) : (
              <span className="size-[18px] rounded-full border-[1.5px] border-line-strong" />
            )}
            <span>
              {step.words}
              {step.isDone && <span className="sr-only"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
      <Button variant="primary" wide href={next.href}>
        {next.words}
      </Button>
    </Card>
  );
}
