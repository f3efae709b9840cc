import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import type { BroadcastChoice } from './state.ts';

export function BroadcastCheckbox({ conversation, choice }: { conversation: Conversation; choice: BroadcastChoice }) {
  return (
    <label className="grid size-11 cursor-pointer place-items-center after:absolute after:inset-0">
      <span className="sr-only">{conversation.customer.name}</span>
      <input
        type="checkbox"
        className="box relative z-1"
        checked={choice.chosen.has(conversation.id)}
        onChange={() => choice.toggle(conversation.id)}
      />
    </label>
  );
}
