/**
 * Client for coturn's command line interface over TCP (port 5766 on the relay's machine). It lists sessions by a part
 * of their name (`psp`) and ends them by id (`cs`). This is the only way to end an allocation from outside.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type TurnCli = { host: string; port: number; password: string };

const TIMEOUT_MS = 3_000;
const PROMPT = '> ';

async function readUntil(socket: Socket, end: string): Promise<string> {
  let output = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes(end)) return output;
  }
  throw new Error('the relay’s command line hung up');
}

async function sendCommand(socket: Socket, command: string): Promise<string> {
  socket.write(`${command}\r\n`);
  return readUntil(socket, PROMPT);
}

/** Throws when the interface cannot be reached. */
export async function endAllocations({ host, port, password }: TurnCli, name: string): Promise<number> {
  const socket = connect({ host, port, timeout: TIMEOUT_MS });
  socket.setEncoding('latin1');
  socket.on('timeout', () => socket.destroy(new Error('the relay’s command line does not answer')));
  try {
    await once(socket, 'connect');
    await readUntil(socket, 'password');
    await sendCommand(socket, password);
    const sessionList = await sendCommand(socket, `psp ${name}`);
    const ids = [...sessionList.matchAll(/id=(\d+), user <([^>]*)>/g)].flatMap(([, id = '', user = '']) =>
      user.includes(name) ? [id] : [],
    );
    for (const id of ids) await sendCommand(socket, `cs ${id}`);
    return ids.length;
  } finally {
    socket.destroy();
  }
}
