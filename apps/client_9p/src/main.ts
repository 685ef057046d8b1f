import { text } from 'node:stream/consumers';
import { Socket } from 'node:net';
import { Client, NinepError } from '#ninep';
import { parseRequest } from './parse-request.js';
import { perform } from './perform.js';

/** Where the sandbox helper puts the connection to the namespace. */
const DOOR_FD = 3;

/**
 * The tool `client_9p`: one line of JSON on standard input is the request, what the namespace answers goes to standard
 * output. A refusal of the namespace is told as it is, and exits 1.
 */
async function main({ OLLIE_AGENT_ID: agent = '', OLLIE_SESSION_ID: session = '' }: NodeJS.ProcessEnv): Promise<void> {
  const door = new Socket({ fd: DOOR_FD });
  try {
    const request = parseRequest(await text(process.stdin), { agent, session });
    // One tag for all calls of the agent: what it has seen in one it is not told again in the next.
    const client = await Client.over(door, { uname: 'agent', aname: agent === '' ? '' : `client=${agent}.tool.0` });
    process.stdout.write(await perform(client, request));
  } catch (error) {
    if (!(error instanceof NinepError)) throw error;
    process.stdout.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    door.destroy();
  }
}

void main(process.env);
