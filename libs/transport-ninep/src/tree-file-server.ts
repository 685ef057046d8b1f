import { userInfo } from 'node:os';
import { NinepError, type AttachRequest, type AuthConversation, type Awaitable, type FileServer, type ServedNode } from '#ninep';
import type { Client, TreeNode } from '#virtfs';
import { parseAttachName } from './attach-name.js';
import type { NinePOptions } from './options.js';
import { ServedTreeNode } from './served-tree-node.js';

/** Serves a mounted tree to 9P clients: lets them in, and gives each its own view of the root. */
export class TreeFileServer implements FileServer {
  private readonly owner: string;

  constructor(
    private readonly root: TreeNode,
    private readonly options: NinePOptions,
  ) {
    this.owner = options.owner ?? userInfo().username;
  }

  authenticate(uname: string, aname: string): Awaitable<AuthConversation> {
    if (!this.options.authenticate) throw new NinepError('permission denied: no auth required', 'EACCES');
    return this.options.authenticate(uname, aname);
  }

  async attach(request: AttachRequest): Promise<ServedNode> {
    await this.options.authorize?.(request);
    const client = this.clientOf(request);
    const trace = this.options.onTrace ?? (() => undefined);
    trace(`${client.uname} ${client.tag}: attach ${JSON.stringify(request.aname)}`);
    return new ServedTreeNode(this.root, { client, owner: this.owner, trace });
  }

  private clientOf({ uname, aname, connectionId }: AttachRequest): Client {
    const named = this.options.attachName === 'name';
    const { waitMs = this.options.waitMs, ...said } = parseAttachName(aname, named);
    // The space keeps it apart from every tag that a client can give.
    return { uname, tag: `connection ${connectionId}`, ...said, ...(waitMs !== undefined && { waitMs }) };
  }
}
