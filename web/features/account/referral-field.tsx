/** The referral code field at sign-up (row H4). An unknown code shows a note but does not block the sign-up. */
import { getInvitation } from '@stagedoor/contract/affiliates.ts';
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ApiError } from '../../kernel/api-error.ts';
import { isolated } from '../../kernel/bidi.ts';
import { apiQuery } from '../../kernel/query.ts';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSettled } from './availability.ts';
import { codeOf } from './referral-code.ts';

export const UNKNOWN_CODE = 'We don’t recognize this code. You can still sign up.';

function useWords(given: string): string {
  const settled = useSettled(given).trim();
  const code = codeOf(settled);
  const { data, error } = useQuery({
    ...apiQuery(getInvitation, { params: { code } }),
    enabled: code !== '',
    retry: false,
  });
  if (settled === '' || settled !== given.trim()) return '';
  if (code === '' || (error instanceof ApiError && error.code === 'NOT_FOUND')) return UNKNOWN_CODE;
  return data ? `Invited by ${isolated(data.name)}` : '';
}

interface Props extends UseFormRegisterReturn {
  given: string;
  code: string;
}

export function ReferralField({ given, code, ...field }: Props) {
  const words = useWords(code);
  return (
    <details className="group" open={given !== ''}>
      <summary className="inline-flex min-h-11 items-center gap-1 font-semibold">
        Have a referral code?
        <Icon name="chevron-down" size={18} className="group-open:rotate-180" />
      </summary>
      <TextField
        label="Referral code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={200}
        defaultValue={given}
        {...field}
        hint={<span role="status">{words || 'Optional. From the person who invited you.'}</span>}
      />
    </details>
  );
}
