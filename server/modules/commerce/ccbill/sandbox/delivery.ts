import type { Logger } from '../../../../platform/log.ts';
import type { SandboxMessage } from './messages.ts';

export type DeliveryBehaviour = {
  duplicates: number;
  delayMs: number;
  isReordered: boolean;
  dropFirst: number;
};

export const DEFAULT_BEHAVIOUR: DeliveryBehaviour = { duplicates: 0, delayMs: 0, isReordered: false, dropFirst: 0 };

export interface Delivery {
  behaviour: DeliveryBehaviour;
  send(id: string, message: SandboxMessage): void;
  release(): void;
  pending(): number;
  stop(): void;
}

type QueuedMessage = { id: string; message: SandboxMessage };

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 60_000;

/**
 * @param webhook Returns the webhook URL without a query, or undefined while the server does not listen.
 * @param onDelivered Called for each webhook that got a 200 response.
 */
export function createDelivery(
  webhook: () => string | undefined,
  onDelivered: (id: string) => void,
  log: Logger,
): Delivery {
  const timers = new Set<NodeJS.Timeout>();
  const heldMessages: QueuedMessage[] = [];
  let open = 0;
  let isStopped = false;

  /** Never resolves when delivery is stopped. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timer.unref();
      timers.add(timer);
    });
  }

  async function postOnce({ message: { eventType, fields } }: QueuedMessage): Promise<boolean> {
    const address = webhook();
    if (!address) return false;
    const query = new URLSearchParams({
      clientAccnum: fields.clientAccnum ?? '',
      clientSubacc: fields.clientSubacc ?? '',
      eventType,
      eventGroupType: 'Subscription',
    });
    try {
      const response = await fetch(`${address}?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-encoded' },
        body: new URLSearchParams(fields).toString(),
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  }

  async function deliver(sent: QueuedMessage, losses: number): Promise<void> {
    open += 1;
    for (let tries = 0; !isStopped; tries += 1) {
      if (tries >= losses && (await postOnce(sent))) {
        open -= 1;
        onDelivered(sent.id);
        return;
      }
      if (tries === losses + 5)
        log.warn(
          { eventType: sent.message.eventType },
          'the payment sandbox cannot deliver to the webhook and goes on trying',
        );
      await pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 12)));
    }
  }

  async function deliverInOrder(messages: readonly QueuedMessage[]): Promise<void> {
    for (const sent of messages) await deliver(sent, 0);
  }

  async function deliverLater(sent: QueuedMessage, { delayMs, dropFirst }: DeliveryBehaviour): Promise<void> {
    if (delayMs > 0) await pause(delayMs);
    await deliver(sent, dropFirst);
  }

  const delivery: Delivery = {
    behaviour: DEFAULT_BEHAVIOUR,
    send: (id, message) => {
      if (delivery.behaviour.isReordered) {
        heldMessages.push({ id, message });
        return;
      }
      for (let copy = 0; copy <= delivery.behaviour.duplicates; copy += 1)
        void deliverLater({ id, message }, delivery.behaviour);
    },
    release: () => void deliverInOrder(heldMessages.splice(0).reverse()),
    pending: () => open + heldMessages.length,
    stop: () => {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
  return delivery;
}
