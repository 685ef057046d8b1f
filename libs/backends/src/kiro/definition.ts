import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { KiroBackend } from './kiro.backend.js';
import { databaseIn } from './login-database.js';
import { loginPlace } from './login-place.js';

const SETTINGS = ['OLLIE_KIRO_TOKEN', 'OLLIE_KIRO_TOKEN_FILE', 'OLLIE_KIRO_URL'] as const;

/** The kiro backend: a token, a file with the user's login or an address configures it. A login that nobody has named is not looked for. */
export const kiroDefinition: BackendDefinition = {
  name: 'kiro',
  isConfigured: ({ env }) => SETTINGS.some((name) => settingOf(env, name) !== undefined),
  make: ({ env, patience }) => {
    const token = settingOf(env, 'OLLIE_KIRO_TOKEN');
    const isDatabase = token !== undefined && databaseIn(token) !== undefined;
    const tokenFile = isDatabase ? token : settingOf(env, 'OLLIE_KIRO_TOKEN_FILE');
    return new KiroBackend({
      name: 'kiro',
      baseUrl: settingOf(env, 'OLLIE_KIRO_URL'),
      key: isDatabase ? undefined : token,
      tokenFile: tokenFile && loginPlace(tokenFile, env),
      profileArn: settingOf(env, 'OLLIE_KIRO_PROFILE_ARN'),
      origin: settingOf(env, 'OLLIE_KIRO_ORIGIN'),
      defaultModel: modelSettingOf(env, 'kiro'),
      patience,
    });
  },
};
