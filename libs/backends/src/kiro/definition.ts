import { userInfo } from 'node:os';
import { expandTilde } from '#config';
import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { KiroBackend } from './kiro.backend.js';

const SETTINGS = ['OLLIE_KIRO_TOKEN', 'OLLIE_KIRO_TOKEN_FILE', 'OLLIE_KIRO_URL'] as const;

/** The kiro backend: a token, a file with the user's login or an address configures it. A login that nobody has named is not looked for. */
export const kiroDefinition: BackendDefinition = {
  name: 'kiro',
  isConfigured: ({ env }) => SETTINGS.some((name) => settingOf(env, name) !== undefined),
  make: ({ env, patience }) => {
    const tokenFile = settingOf(env, 'OLLIE_KIRO_TOKEN_FILE');
    return new KiroBackend({
      name: 'kiro',
      baseUrl: settingOf(env, 'OLLIE_KIRO_URL'),
      key: settingOf(env, 'OLLIE_KIRO_TOKEN'),
      tokenFile: tokenFile && expandTilde(tokenFile, settingOf(env, 'HOME') ?? userInfo().homedir),
      profileArn: settingOf(env, 'OLLIE_KIRO_PROFILE_ARN'),
      origin: settingOf(env, 'OLLIE_KIRO_ORIGIN'),
      defaultModel: modelSettingOf(env, 'kiro'),
      patience,
    });
  },
};
