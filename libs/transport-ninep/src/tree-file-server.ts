import { userInfo } from 'node:os';
import {
  noAuthRequired,
  type AttachingUser,
  type AttachRequest,
  type AuthConversation,
  type Awaitable,
  type FileServer,
  type ServedNode,
} from '#ninep';
import type { Client, TreeNode } from '#virtfs';
import { parseAttachName, withoutKey, type AttachName } from './attach-name.js';
import type { Entrance, NinePOptions } from './options.js';
import { Owner } from './owner.js';
import { ServedTreeNode } from './served-tree-node.js';

/** Serves a mounted tree to the 9P clients of one entrance: lets them in, and gives each its own view of the root. */
export class TreeFileServer implements FileServer {
  private readonly owner: Owner;
  private readonly uid = userInfo().uid;

  constructor(
    private readonly root: TreeNode,
    private readonly options: NinePOptions,
    private readonly entrance: Entrance,
  ) {
    this.owner = new Owner(options.owner ?? userInfo().username, { uid: this.uid, gid: userInfo().gid });
  }

  authenticate(user: AttachingUser): Awaitable<AuthConversation> {
    if (!this.entrance.authenticate) throw noAuthRequired();
    return this.entrance.authenticate(user);
  }

  async attach(request: AttachRequest): Promise<ServedNode> {
    const said = parseAttachName(request.aname, this.options.attachName === 'name');
    await this.entrance.authorize?.(request, said);
    const client = this.clientOf(request, said);
    const { onTrace: trace = () => undefined, onCloseError = () => undefined } = this.options;
    trace(`${client.uname} ${client.tag}: attach ${JSON.stringify(withoutKey(request.aname))}`);
    const { allowance, socket } = request;
    const admitChange = async (): Promise<void> => socket && this.entrance.admitChange?.(socket);
    return new ServedTreeNode(this.root, { client, owner: this.owner, allowance, trace, admitChange, onCloseError });
  }

  private clientOf({ connectionId, ...user }: AttachRequest, { key: _key, ...said }: AttachName): Client {
    const { waitMs = this.options.waitMs, ...named } = said;
    const { role = 'user', uname = this.nameOf(user) } = this.entrance;
    // The space keeps it apart from every tag that a client can give.
    const tag = `connection ${connectionId}`;
    return { role, uname, tag, ...named, ...(waitMs !== undefined && { waitMs }) };
  }

  /** A client of 9P2000.L may give a number only: the server's own user, or the number as a name. */
  private nameOf({ uname, uid }: AttachingUser): string {
    if (uname !== '' || uid === undefined) return uname;
    return uid === this.uid ? userInfo().username : String(uid);
  }
}
