import { FileDeniedError, FileError } from './errors.js';
import { Node } from './node.js';
import { checkGrant } from './roles.js';
import type { Access, Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

export class FileNode<S extends object> extends Node<S, FileSpec<S>> {
  readonly isDirectory = false;
  #behaviour: FileBehaviour | undefined;

  get version(): number {
    return this.behaviour.version;
  }

  admit(): void {
    // Whoever came to its directory may see that it is there.
  }

  walk(name: string) {
    if (name === '..') return this.parent;
    throw notADirectory();
  }

  list(): never {
    throw notADirectory();
  }

  stats(): never {
    throw notADirectory();
  }

  open(access: Access, client: Client): Awaitable<FileHandle> {
    const { spec, subject } = this.position;
    spec.admit?.(client, subject);
    if (access.write || access.truncate) checkGrant(client, subject, spec.writers);
    return this.behaviour.open(access, client);
  }

  truncate(length: number, call: Call): Awaitable<void> {
    const { behaviour } = this;
    const { spec, subject } = this.position;
    spec.admit?.(call.client, subject);
    checkGrant(call.client, subject, spec.writers);
    if ((this.mode & 0o222) === 0) throw new FileDeniedError();
    if (behaviour.truncate) return behaviour.truncate(length, call);
    if (length !== 0) throw new FileDeniedError();
  }

  protected facts(): Awaitable<FileFacts> {
    return this.behaviour.facts();
  }

  private get behaviour(): FileBehaviour {
    return (this.#behaviour ??= this.identity.behaviour ??= this.position.spec.bind(this.position.subject));
  }
}

function notADirectory(): FileError {
  return new FileError('not a directory', 'ENOTDIR');
}
