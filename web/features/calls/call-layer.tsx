/** Whatever there is of calls, over the page one is on. It outlives the page: a running call goes on while one walks through the app. */
import './calls.css';
import { DeviceCheck } from './device-check.tsx';
import { Incoming } from './incoming.tsx';
import { CallOver } from './over.tsx';
import { type CallParts, CallPartsContext } from './parts.ts';
import { Receipt } from './receipt.tsx';
import { happen, useCalls } from './session.ts';
import { CallElsewhere, SmallCall } from './small-call.tsx';
import { CallStage } from './stage.tsx';
import type { CallsState } from './state.ts';

function Shown({ stage, isSmall }: CallsState) {
  switch (stage.at) {
    case 'none':
      return null;
    case 'check':
      return <DeviceCheck target={stage.target} kind={stage.kind} />;
    case 'incoming':
      return <Incoming key={stage.offer.callLogId} stage={stage} />;
    case 'calling':
      return <CallStage stage={stage} />;
    case 'talking':
      return isSmall ? <SmallCall stage={stage} /> : <CallStage stage={stage} />;
    case 'elsewhere':
      return <CallElsewhere call={stage.call} />;
    case 'over':
      return <CallOver end={stage.end} />;
    case 'receipt':
      return <Receipt id={stage.callLogId} onClose={() => happen({ type: 'close' })} />;
  }
}

export function CallLayer({ parts }: { parts: CallParts }) {
  const calls = useCalls();
  return (
    <CallPartsContext value={parts}>
      <Shown {...calls} />
    </CallPartsContext>
  );
}
