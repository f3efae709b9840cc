import { checkEmail, checkUsername, email, username } from '@stagedoor/contract/identity/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { apiQuery } from '../../../platform/query.ts';
import * as texts from './texts.ts';

const DEBOUNCE_MS = 400;
export const USERNAME_TAKEN = texts.usernameUnavailable;
export const EMAIL_TAKEN = texts.emailExistsError;

/** Returns the value as of the last pause in typing. */
export function useDebouncedValue(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** Returns 'taken' or 'free' for exactly this text, and undefined while it is unknown or invalid. */
export function useUsernameAvailability(text: string): 'taken' | 'free' | undefined {
  const debounced = useDebouncedValue(text).trim();
  const isValid = z.safeParse(username, debounced).success;
  const { data } = useQuery({
    ...apiQuery(checkUsername, { query: { username: debounced } }),
    enabled: isValid,
    retry: false,
  });
  return isValid && debounced === text.trim() && data ? (data.isTaken ? 'taken' : 'free') : undefined;
}

export function useEmailAvailability(text: string): 'taken' | 'free' | undefined {
  const debounced = useDebouncedValue(text).trim();
  const isValid = z.safeParse(email, debounced).success;
  const { data } = useQuery({
    ...apiQuery(checkEmail, { query: { email: debounced } }),
    enabled: isValid,
    retry: false,
  });
  return isValid && debounced === text.trim() && data ? (data.isTaken ? 'taken' : 'free') : undefined;
}
