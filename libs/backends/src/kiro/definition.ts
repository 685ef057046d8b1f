import { userInfo } from 'node:os';
import { expandTilde } from '#config';
import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { KiroBackend } from './kiro.backend.js';

/** The kiro backend: a token or a file with the user's login configures it. A login that nobody has named is not looked for. */
export const kiroDefinition: BackendDefinition = {
  name: 'kiro',
  isConfigured: ({ env }) => ['OLLIE_KIRO_TOKEN', 'OLLIE_KIRO_TOKEN_FILE'].some((name) => settingOf(env, name) !== undefined),
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
