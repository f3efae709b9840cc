import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { creatorThreadPath } from '@stagedoor/contract/shared/addresses.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { registerMediaUseReader } from '../../../content/media/index.ts';

const LIST_USES: SqlStatement = {
  name: 'chat-uses-of-media',
  text: `select m.conversation_id, 'Chat with ' || coalesce(nullif(u.name, ''), u.username) as title, m.created_at, m.price_cents,
      m.unsent_at is not null or m.removed_at is not null as is_removed,
      (p.transaction_id is not null)::int as buyer_count, coalesce(p.net_cents, 0) as earned_cents
    from chat_attachments a join messages m on m.id = a.holder_id join conversations c on c.id = m.conversation_id join users u on u.id = c.fan_id
    left join chat_purchases p on p.fan_id = c.fan_id and p.message_id = m.id and p.revoked_at is null where a.media_id = $1
    union all select null, case when b.state = 'scheduled' then 'Scheduled broadcast' else 'Broadcast' end
        || case when b.text = '' then '' else ': ' || left(split_part(b.text, E'\\n', 1), 80) end,
      coalesce(b.sent_at, b.created_at), b.price_cents, b.state in ('unsent', 'cancelled'), n.purchased, n.earned_cents
    from chat_attachments a join broadcasts b on b.id = a.holder_id cross join lateral (select coalesce(sum(purchased), 0)::int as purchased,
      greatest(coalesce(sum(earned_cents), 0), 0)::bigint as earned_cents from broadcast_counts where broadcast_id = b.id) n where a.media_id = $1
    order by created_at desc`,
};

type MediaUseRow = {
  conversation_id: string | null;
  title: string;
  created_at: Date;
  price_cents: number;
  is_removed: boolean;
  buyer_count: number;
  earned_cents: number;
};

export function registerMediaUses(ctx: Context): void {
  registerMediaUseReader(ctx, 'chat', {
    listMediaUses: async (mediaId) => {
      const rows = await ctx.db.run<MediaUseRow>(LIST_USES, [mediaId]);
      return rows.map((row) => ({
        kind: 'chat',
        href: creatorThreadPath(row.conversation_id ?? BROADCAST_KEY),
        title: row.title,
        createdAt: row.created_at.toISOString(),
        price: toUsd(row.price_cents),
        isRemoved: row.is_removed,
        buyerCount: row.buyer_count,
        earned: toUsd(row.earned_cents),
      }));
    },
  });
}
