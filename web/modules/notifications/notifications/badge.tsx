import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CountBadge } from '../../../ui/label.tsx';
import { subscribeToNotifications, unreadCountQuery } from './queries.ts';

export function UnreadBadge() {
  const client = useQueryClient();
  useEffect(() => subscribeToNotifications(client), [client]);
  return <CountBadge value={useQuery(unreadCountQuery()).data?.count ?? 0} label="unread" />;
}
