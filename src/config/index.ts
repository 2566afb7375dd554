export type { Definition, Origin } from './api.ts'
export { findConfig } from './find.ts'
export {
  type Entry,
  loadSettings,
  type SettingName,
  type Settings,
  type SettingsRequest,
  type SettingValue,
  settingName,
  settingNames,
  tellOrigin,
} from './settings.ts'
