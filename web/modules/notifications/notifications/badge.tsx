import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CountBadge } from '../../../ui/label.tsx';
import { subscribeToNotifications, unreadCountQuery } from './queries.ts';
import * as texts from './texts.ts';

export function UnreadBadge() {
  const client = useQueryClient();
  useEffect(() => subscribeToNotifications(client), [client]);
  return <CountBadge value={useQuery(unreadCountQuery()).data?.count ?? 0} label={texts.unreadLabel} />;
}
