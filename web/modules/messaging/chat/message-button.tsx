import { chatWithPath, signupGatePath } from '@stagedoor/contract/shared/addresses.ts';
import { useViewer } from '../../../platform/session.ts';
import { IconButton } from '../../../ui/button.tsx';

export function MessageButton({
  creatorId,
  creatorName,
  hasLabel = false,
}: {
  creatorId: string;
  creatorName: string;
  hasLabel?: boolean;
}) {
  const viewer = useViewer();
  if (viewer && viewer.type !== 'customer') return null;
  const path = chatWithPath(creatorId);
  return (
    <IconButton
      icon="chat"
      label={`Message ${creatorName}`}
      href={viewer ? path : signupGatePath('message', path)}
      {...(hasLabel && { text: <span className="hidden lg:inline">Message</span> })}
    />
  );
}
