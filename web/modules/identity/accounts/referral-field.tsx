/** The referral code field at sign-up (row H4). An unknown code shows a note but does not block the sign-up. */
import { getReferralInvitation } from '@stagedoor/contract/finance/affiliates.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ApiError } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { apiQuery } from '../../../platform/query.ts';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useDebouncedValue } from './availability.ts';
import { parseReferralCode } from './referral-code.ts';
import * as texts from './texts.ts';

export const UNKNOWN_CODE_MESSAGE = texts.unknownReferralCode;

function useReferralHint(input: string): string {
  const debounced = useDebouncedValue(input).trim();
  const code = parseReferralCode(debounced);
  const { data, error } = useQuery({
    ...apiQuery(getReferralInvitation, { params: { code } }),
    enabled: code !== '',
    retry: false,
  });
  if (debounced === '' || debounced !== input.trim()) return '';
  if (code === '' || (error instanceof ApiError && error.code === 'NOT_FOUND')) return UNKNOWN_CODE_MESSAGE;
  return data ? formatText(texts.invitedBy, { inviterName: isolateText(data.name) }) : '';
}

interface ReferralFieldProps extends UseFormRegisterReturn {
  initialCode: string;
  code: string;
}

export function ReferralField({ initialCode, code, ...field }: ReferralFieldProps) {
  const hint = useReferralHint(code);
  return (
    <details className="group" open={initialCode !== ''}>
      <summary className="inline-flex min-h-11 items-center gap-1 font-semibold">
        {texts.referralCodeQuestion}
        <Icon name="chevron-down" size={18} className="group-open:rotate-180" />
      </summary>
      <TextField
        label={texts.referralCode}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={200}
        defaultValue={initialCode}
        {...field}
        hint={<span role="status">{hint || texts.referralCodeHint}</span>}
      />
    </details>
  );
}
