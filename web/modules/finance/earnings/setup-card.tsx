import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { cx } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import * as texts from './texts.ts';

type SetupStep = { label: string; href: string; isDone: boolean; review?: string | undefined };

export type SetupCardProps = {
  profile: Pick<Profile, 'bio' | 'craft' | 'avatarUrl' | 'cover' | 'totalPostCount' | 'isVerified'>;
  hasPayoutMethod: boolean;
  review?: string | undefined;
};

export function listSetupSteps({ profile, hasPayoutMethod, review }: SetupCardProps): SetupStep[] {
  const editor = PATHS.creatorProfile;
  return [
    { label: texts.addYourBioAndCategory, href: editor, isDone: profile.bio !== '' && profile.craft !== '' },
    { label: texts.addAProfilePhoto, href: editor, isDone: profile.avatarUrl !== null },
    { label: texts.addACoverPhoto, href: editor, isDone: profile.cover !== null },
    { label: texts.publishYourFirstPost, href: PATHS.creatorNewPost, isDone: profile.totalPostCount > 0 },
    { label: texts.verifyYourIdentity, href: PATHS.creatorVerification, isDone: profile.isVerified, review },
    { label: texts.addAPayoutMethod, href: `${PATHS.creatorFees}#methods`, isDone: hasPayoutMethod },
  ];
}

export function SetupCard(setup: SetupCardProps) {
  const steps = listSetupSteps(setup);
  if (steps.every((step) => step.isDone)) return null;
  // A step under review needs no action by the creator.
  const next = steps.find((step) => !step.isDone && !step.review);
  return (
    <Card labelledBy="setup">
      <div className="flex items-baseline justify-between">
        <h2 className="display d4" id="setup">
          {texts.finishSettingUp}
        </h2>
        <span className="num text-small text-muted">
          {formatText(texts.stepsDone, {
            doneCount: steps.filter((step) => step.isDone).length,
            stepCount: steps.length,
          })}
        </span>
      </div>
      <ol className={next ? 'my-4' : 'mt-4'}>
        {steps.map((step) => (
          <li
            key={step.label}
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
              {step.label}
              {step.isDone && <span className="sr-only"> {texts.doneMark}</span>}
              {!step.isDone && step.review && (
                <span className="block text-note text-muted">
                  <StatusDot state="busy">{texts.underReview}</StatusDot> <span className="block">{step.review}</span>
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {next && (
        <Button variant="primary" wide href={next.href}>
          {next.label}
        </Button>
      )}
    </Card>
  );
}
