import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Count } from '../../ui/label.tsx';
import { countQuery, listenForNotifications } from './queries.ts';

export function UnreadBadge() {
  const client = useQueryClient();
  useEffect(() => listenForNotifications(client), [client]);
  return <Count value={useQuery(countQuery()).data?.count ?? 0} label="unread" />;
}
