import { TokenKeeper } from '../wire/token-keeper.js';
import { loginIn } from './login-file.js';
import type { KiroOptions } from './options.js';

/** Who asks. A login of the user's that ends is read again, for Kiro renews it itself; a key stays what it is. */
export class Login {
  /** Undefined for a server that asks for no token. */
  readonly tokens: TokenKeeper | undefined;
  private toldProfile: string | undefined;

  constructor(private readonly options: KiroOptions) {
    const { name, key, tokenFile } = options;
    if (key !== undefined) this.tokens = new TokenKeeper(async () => ({ text: key }));
    else if (tokenFile !== undefined) this.tokens = new TokenKeeper(async () => await this.read(tokenFile, name));
  }

  /** That of the login, unless one is set; known with its token. */
  get profileArn(): string | undefined {
    return this.options.profileArn ?? this.toldProfile;
  }

  private async read(file: string, backend: string): ReturnType<TokenKeeper['current']> {
    const { token, profileArn } = await loginIn(file, backend);
    this.toldProfile = profileArn;
    return token;
  }
}
