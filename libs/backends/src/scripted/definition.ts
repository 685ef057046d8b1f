import { join } from 'node:path';
import { modelSettingOf, type BackendDefinition, type BackendSettings } from '../backend-definition.js';
import { ScriptLibrary } from './library.js';
import { ScriptedBackend } from './scripted.backend.js';
import { ScriptedModel } from './scripted-model.js';

/** The scripted backend: always there, and never chosen unless somebody names it. */
export const scriptedDefinition: BackendDefinition = {
  name: 'scripted',
  isConfigured: () => true,
  make: (settings) => scriptedBackend(settings, modelSettingOf(settings.env, 'scripted')),
};

/** Without a `defaultModel` it plays the script `default`. */
export function scriptedBackend({ paths }: BackendSettings, defaultModel = 'default'): ScriptedBackend {
  const directories = [join(paths.config, 'scripts'), join(paths.packaged, 'scripts')];
  return new ScriptedBackend(new ScriptedModel(new ScriptLibrary(directories)), defaultModel);
}
