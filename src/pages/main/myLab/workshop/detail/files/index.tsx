import { withWords } from '@/components/withWords';
import en from '@/locales/en-US/files';
import zh from '@/locales/zh-CN/files';
import { FilesTab } from './FilesTab';

/** Loaded when the tab is shown, with its words. */
export default withWords(FilesTab, { 'en-US': en, 'zh-CN': zh });
