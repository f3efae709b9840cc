import type { SubscriptionTier, ViewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { OFFER_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatDiscount } from './billing.ts';
import { creatorTiersQuery } from './creator-tiers.ts';
import * as texts from './texts.ts';

type CodeFormProps = {
  creatorId: string;
  tier: SubscriptionTier;
  offer: ViewedOffer | null;
  isDisabled: boolean;
  /** Undefined removes the code. */
  onCode: (code: string | undefined) => void;
};

/** Checks a code before the prices change. */
function useCodeCheck({ creatorId, tier, onCode }: CodeFormProps) {
  const client = useQueryClient();
  const [error, setError] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);
  const findRefusal = async (code: string): Promise<string | undefined> => {
    const { offer, offerRefusal, tiers } = await client.fetchQuery(creatorTiersQuery(creatorId, code));
    if (!offer) return offerRefusal ?? undefined;
    if (offer.tiers.some(({ id }) => id === tier.id)) return undefined;
    const named = tiers.filter(({ id }) => offer.tiers.some((each) => each.id === id));
    return formatText(texts.codeForOtherTier, { tierNames: named.map(({ name }) => isolateText(name)).join(', ') });
  };
  const check = async (code: string) => {
    setIsChecking(true);
    try {
      const refusal = await findRefusal(code);
      setError(refusal);
      if (refusal === undefined) onCode(code);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : undefined);
    } finally {
      setIsChecking(false);
    }
  };
  return { error, isChecking, check, resetError: () => setError(undefined) };
}

/** The field for the code of an offer, or the applied code with a button to remove it. */
export function CodeForm(props: CodeFormProps) {
  const { tier, offer, isDisabled, onCode } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [code, setCode] = useState('');
  const { error, isChecking, check, resetError } = useCodeCheck(props);
  if (offer?.tiers.some(({ id }) => id === tier.id))
    return (
      <div className="mt-3 flex items-center justify-between gap-x-4 border-t border-line pt-1 text-small">
        <p role="status" className="num min-w-0 whitespace-normal!">
          {formatText(texts.codeApplied, { code: offer.code, discount: formatDiscount(offer) })}
        </p>
        <Button
          variant="quiet"
          className="-mr-3 flex-none"
          aria-label={texts.removeCode}
          disabled={isDisabled}
          onClick={() => {
            setIsOpen(false);
            onCode(undefined);
          }}
        >
          {texts.remove}
        </Button>
      </div>
    );
  if (!isOpen)
    return (
      <Button variant="quiet" className="mt-1 -ml-3" disabled={isDisabled} onClick={() => setIsOpen(true)}>
        {texts.haveCode}
      </Button>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isChecking && !isDisabled && code.trim() !== '') void check(code.trim().toUpperCase());
  };
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2 pt-3">
      <TextField
        className="min-w-0 flex-1"
        label={texts.code}
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={OFFER_LIMITS.codeLength.max + 4}
        value={code}
        error={error}
        onChange={(event) => {
          resetError();
          setCode(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        className="mt-[30px] flex-none"
        busy={isChecking}
        busyText={texts.applying}
        disabled={isDisabled}
      >
        {texts.apply}
      </Button>
    </form>
  );
}
