/** What people of the demo world said to each other: a few conversations, the last line of some still unread. */
import { writeDirectly } from '../features/chat/index.ts';
import { operationOf } from './past.ts';
import type { Stage } from './studio.ts';

const MINUTE_MS = 60_000;

type Line = readonly [from: 'creator' | 'fan', minutesAgo: number, text: string];
type Talk = { creator: string; fan: string; isRead: boolean; lines: readonly Line[] };

const TALKS: readonly Talk[] = [
  {
    creator: 'demo.creator',
    fan: 'demo.fan',
    isRead: false,
    lines: [
      ['fan', 4_390, 'I have had your last set open all evening. How do you get that light?'],
      ['creator', 4_380, 'Patience, mostly! A north window and a very old curtain.'],
      ['fan', 4_371, 'The curtain deserves a credit, then.'],
      ['creator', 1_460, 'It does. New pictures on Thursday. I will write to you first.'],
      ['fan', 1_452, 'You made my week. Thank you!'],
      ['creator', 38, 'They are up. Tell me which one you would hang on a wall.'],
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
      ['fan', 2_950, 'Do you ever sell the small bowls?'],
      ['creator', 176, 'Twice a year, and the next time is soon. Shall I put one aside for you?'],
    ],
  },
  {
    creator: 'demo.creator',
    fan: 'mateus.figueira',
    isRead: false,
    lines: [
      ['creator', 5_800, 'Thank you for the tip, it went straight into new strings.'],
      ['fan', 5_770, 'Best money I have spent this month.'],
      ['fan', 95, 'Is there a recording of last night?'],
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

/** Lets them talk; what was said before is not said again. */
export async function converse({ past, epoch, ids }: Stage): Promise<void> {
  const { ctx } = past;
  for (const { creator, fan, isRead, lines } of TALKS) {
    const [creatorId, fanId] = [ids.get(creator), ids.get(fan)];
    if (creatorId === undefined || fanId === undefined) continue;
    let conversationId = '';
    for (const [from, minutesAgo, text] of lines) {
      const at = new Date(epoch.getTime() - minutesAgo * MINUTE_MS);
      const clientId = operationOf(`say ${creator} ${fan} ${minutesAgo}`);
      ({ conversationId } = await writeDirectly(ctx, { creatorId, fanId }, { from, text, at, clientId }));
    }
    const [last] = lines.slice(-1);
    const seq = lines.length;
    // Who wrote last has read all before; the other one has, too, unless the last line still waits.
    const readOf = (side: 'creator' | 'fan') => (isRead || last?.[0] === side ? seq : seq - 1);
    await ctx.db.query
      .updateTable('conversations')
      .set({
        creator_read_seq: readOf('creator'),
        creator_delivered_seq: seq,
        creator_unread: seq - readOf('creator'),
        fan_read_seq: readOf('fan'),
        fan_delivered_seq: seq,
        fan_unread: seq - readOf('fan'),
      })
      .where('id', '=', conversationId)
      .execute();
  }
}
