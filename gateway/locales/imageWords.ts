import type { Language } from './messages';

/** Why an image could not be saved, as stored. */
export const imageFailures = [
  'STORAGE_LIMIT',
  'STORAGE_FULL',
  'HOME_GONE',
  'ARCHIVE_BROKEN',
  'LAYER_REFUSED',
  'INTERRUPTED',
] as const;
export type ImageFailure = (typeof imageFailures)[number];

/** What is being done of a save, as stored before how much. */
export const saveSteps = ['LAYER', 'FILES', 'CHECKING'] as const;
export type SaveStep = (typeof saveSteps)[number];

type Word =
  | ImageFailure
  | SaveStep
  | 'WAITING'
  | 'gone'
  | 'registryCredentials'
  | 'registryForbidden'
  | 'registryConflict'
  | 'registryUnreachable'
  | 'registryUnexpected';

const enUS: Readonly<Record<Word, string>> = {
  STORAGE_LIMIT: 'With this image your files would take more than your level keeps. Delete some files or images and save again.',
  STORAGE_FULL: 'The storage of this installation is full. Please tell the operator.',
  HOME_GONE: 'The files of the workshop were gone before they could be saved.',
  ARCHIVE_BROKEN: 'The archive of the files came out damaged. Save again.',
  LAYER_REFUSED: 'The compute engine could not keep the system of the lab. Save again, or stop the lab first.',
  INTERRUPTED: 'Saving was interrupted several times. Save again in a while.',
  WAITING: 'waiting to begin',
  LAYER: 'keeping the system of the lab',
  FILES: 'packing the files: {size}',
  CHECKING: 'checking the archive: {size}',
  gone: 'it was deleted, or is no longer published.',
  registryCredentials: 'it does not know this installation’s account. Please tell the operator.',
  registryForbidden: 'it does not let this installation make accounts. Please tell the operator.',
  registryConflict: 'it has an account of this name already. Please try again.',
  registryUnreachable: 'it does not answer. Please try again in a moment.',
  registryUnexpected: 'it answers what no such registry answers. Please tell the operator.',
};

const zhCN: Readonly<Record<Word, string>> = {
  STORAGE_LIMIT: '保存此镜像后文件总量将超过您的等级上限。请删除部分文件或镜像后重试。',
  STORAGE_FULL: '本站的存储空间已满，请联系运维人员。',
  HOME_GONE: '工坊的文件在保存前已不存在。',
  ARCHIVE_BROKEN: '生成的归档文件已损坏，请重新保存。',
  LAYER_REFUSED: '计算引擎未能保存工坊的系统部分。请重新保存，或先停止工坊。',
  INTERRUPTED: '保存多次被中断，请稍后重试。',
  WAITING: '等待开始',
  LAYER: '正在保存工坊的系统',
  FILES: '正在打包文件：{size}',
  CHECKING: '正在校验归档：{size}',
  gone: '该镜像已被删除或不再公开。',
  registryCredentials: '仓库不认可本站的账号，请联系运维人员。',
  registryForbidden: '仓库不允许本站创建账号，请联系运维人员。',
  registryConflict: '仓库中已有同名账号，请重试。',
  registryUnreachable: '仓库没有响应，请稍后重试。',
  registryUnexpected: '仓库返回了意外的内容，请联系运维人员。',
};

const words: Readonly<Record<Language, Readonly<Record<Word, string>>>> = { 'en-US': enUS, 'zh-CN': zhCN };

export function imageWordOf(word: Word, language: Language, params: Readonly<Record<string, string>> = {}): string {
  return words[language][word].replace(/\{(\w+)\}/g, (hole, name: string) => params[name] ?? hole);
}
