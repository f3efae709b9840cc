import { checkEmail, checkUsername, email, username } from '@stagedoor/contract/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { apiQuery } from '../../kernel/query.ts';

const PAUSE_MS = 400;
export const USERNAME_TAKEN = 'This username is taken.';
export const EMAIL_TAKEN = 'An account with this email already exists.';

/** Returns the value as of the last pause in typing. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Returns 'taken' or 'free' for exactly this text, and undefined while it is unknown or invalid. */
export function useUsernameState(text: string): 'taken' | 'free' | undefined {
  const settled = useSettled(text).trim();
  const isValid = z.safeParse(username, settled).success;
  const { data } = useQuery({
    ...apiQuery(checkUsername, { query: { username: settled } }),
    enabled: isValid,
    retry: false,
  });
  return isValid && settled === text.trim() && data ? (data.isTaken ? 'taken' : 'free') : undefined;
}

export function useEmailState(text: string): 'taken' | 'free' | undefined {
  const settled = useSettled(text).trim();
  const isValid = z.safeParse(email, settled).success;
  const { data } = useQuery({ ...apiQuery(checkEmail, { query: { email: settled } }), enabled: isValid, retry: false });
  return isValid && settled === text.trim() && data ? (data.isTaken ? 'taken' : 'free') : undefined;
}
