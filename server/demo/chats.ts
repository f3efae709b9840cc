/** Messages are part of the history so that they are in the right order with calls. */
import { seedMessage } from '../modules/messaging/chat/index.ts';
import type { DemoContext } from './demo-context.ts';
import { toOperationId } from './past-app.ts';

const MINUTE_MS = 60_000;

type DemoMessage = readonly [from: 'creator' | 'fan', minutesAgo: number, text: string];
type DemoConversation = { creator: string; fan: string; isRead: boolean; lines: readonly DemoMessage[] };
export type DemoMessageAction = { kind: 'say'; creator: string; fan: string; from: DemoMessage[0]; text: string };

const CONVERSATIONS: readonly DemoConversation[] = [
  {
    creator: 'demo.creator',
    fan: 'demo.fan',
    isRead: false,
    lines: [
      ['fan', 4_390, 'I have had your white bottle open all evening. How do you get a neck that thin?'],
      ['creator', 4_380, 'Eleven tries, mostly! And then not touching the one that worked.'],
      ['fan', 4_371, 'The other ten deserve a shelf, then.'],
      ['creator', 1_460, 'They are clay again. There are new pictures this week, I will write to you first.'],
      ['fan', 1_452, 'You made my week. Thank you!'],
      ['creator', 38, 'They are up, the whole family of kiln 41. Tell me which one you would keep.'],
    ],
  },
  {
    creator: 'ines.valadao',
    fan: 'demo.fan',
    isRead: true,
    lines: [
      ['fan', 9_050, 'Will you play the slow one again some time?'],
      ['creator', 8_990, 'On Sunday, if the neighbours are kind.'],
      ['fan', 8_985, 'I will be there. Good luck with the neighbours.'],
    ],
  },
  {
    creator: 'hana.sorby',
    fan: 'demo.fan',
    isRead: false,
    lines: [
      ['fan', 2_950, 'Do you ever sell small prints of the fog?'],
      ['creator', 176, 'Twice a year, and the next time is soon. Shall I put one aside for you?'],
    ],
  },
  {
    creator: 'demo.creator',
    fan: 'mateus.figueira',
    isRead: false,
    lines: [
      ['creator', 5_800, 'Thank you for the tip, it went straight into the next sack of clay.'],
      ['fan', 5_770, 'Best money I have spent this month.'],
      ['fan', 95, 'Is there a list for the tea bowls?'],
    ],
  },
  {
    creator: 'demo.creator',
    fan: 'noor.haddad',
    isRead: true,
    lines: [
      ['fan', 12_400, 'Hello from Rotterdam! I found you through a friend.'],
      ['creator', 12_310, 'Welcome! Say thank you to your friend from me.'],
    ],
  },
];

export function listMessageActions(epoch: Date): (DemoMessageAction & { at: Date })[] {
  return CONVERSATIONS.flatMap(({ creator, fan, lines }) =>
    lines.map(([from, minutesAgo, text]): DemoMessageAction & { at: Date } => ({
      ...{ kind: 'say', creator, fan, from, text },
      at: new Date(epoch.getTime() - minutesAgo * MINUTE_MS),
    })),
  );
}

/** Idempotent. */
export async function performMessage(
  { pastApp, ids }: DemoContext,
  action: DemoMessageAction & { at: Date; key: string },
): Promise<void> {
  const [creatorId, fanId] = [ids.get(action.creator), ids.get(action.fan)];
  if (creatorId === undefined || fanId === undefined) return;
  await pastApp.waitUntilIdle();
  const { from, text, at, key } = action;
  await seedMessage(pastApp.ctx, { creatorId, fanId }, { from, text, at, clientId: toOperationId(key) });
}

export async function markConversationsRead({ pastApp, ids }: DemoContext): Promise<void> {
  for (const { creator, fan, isRead, lines } of CONVERSATIONS) {
    const [creatorId, fanId] = [ids.get(creator), ids.get(fan)];
    if (creatorId === undefined || fanId === undefined) continue;
    const [last] = lines.slice(-1);
    const countUnread = (side: 'creator' | 'fan') => (isRead || last?.[0] === side ? 0 : 1);
    await pastApp.ctx.db.query
      .updateTable('conversations')
      .set(({ ref, eb }) => ({
        creator_read_seq: eb(ref('last_seq'), '-', countUnread('creator')),
        creator_delivered_seq: ref('last_seq'),
        creator_unread: countUnread('creator'),
        fan_read_seq: eb(ref('last_seq'), '-', countUnread('fan')),
        fan_delivered_seq: ref('last_seq'),
        fan_unread: countUnread('fan'),
      }))
      .where('creator_id', '=', creatorId)
      .where('fan_id', '=', fanId)
      .execute();
  }
}
