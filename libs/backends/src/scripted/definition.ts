import { join } from 'node:path';
import { modelSettingOf, type BackendDefinition, type BackendSettings } from '../backend-definition.js';
import { ScriptLibrary } from './library.js';
import { ScriptedBackend } from './scripted.backend.js';
import { ScriptedModel } from './scripted-model.js';

/** The scripted backend: always there, and never chosen unless somebody names it. */
export const scriptedDefinition: BackendDefinition = {
  name: 'scripted',
  isConfigured: () => true,
  make: (settings) =>
    new ScriptedBackend(
      new ScriptedModel(new ScriptLibrary(scriptDirectories(settings))),
      modelSettingOf(settings.env, 'scripted') ?? 'default',
    ),
};

function scriptDirectories({ paths }: BackendSettings): readonly string[] {
  return [join(paths.config, 'scripts'), join(paths.packaged, 'scripts')];
}
