import type { WorkshopWords } from './workshopWords';

const enUS: WorkshopWords = {
  specCores: 'this machine has {cores} CPU cores.',
  specMemory: 'this machine has {gb} GB of memory.',
  specRetired: 'it is no longer offered.',
  imageCommands: 'this machine lacks {commands}.',
  imageRetired: 'it is no longer offered.',
  engineUnreachable: 'the compute engine does not answer. Please try again in a moment.',
  noneFits: 'no core',
  customFits: ' A custom package of {cores} cores allows this.',
  rateCeiling:
    'All your running labs together may use {limit} DCU per hour at your level. {used} are in use, this one needs {needed}.',

  waitsForEngine: 'Waiting for the compute engine, which does not answer.',
  waitsForEarlierRun: 'Waiting until the earlier run has ended.',
  lost: 'The compute engine cannot be reached. Nothing is charged until it is seen again.',
  deleteFailed: 'The files could not be deleted yet. This is tried again by itself.',
  pulling: 'Its image and files are being made ready. This can take some minutes the first time.',
  engineNoNetwork: 'labs have no network on this machine.',
  levelAllowsMore: ' Level {level} allows more.',

  START_FAILED: 'The lab could not be started. Try again; if it happens again, choose another image.',
  START_TIMEOUT: 'The lab was not ready within two minutes. Try again.',
  OUT_OF_MEMORY: 'The lab used more memory than its size has. Choose a larger size, or use less. Your files are kept.',
  DISK_FULL: 'The lab’s disk is full. Choose a size with more disk to free space. Your files are kept.',
  ENGINE_LOST: 'The machine that ran the lab stopped. Your files are kept; start it again.',
  VANISHED: 'The lab ended without a word from the machine that ran it. Your files are kept; start it again.',
  ENGINE_UNSANDBOXED: 'This machine cannot isolate labs, so it starts none. Please tell the operator.',
  ENGINE_IMAGE: 'This machine cannot run the image. Choose another one.',
  ENGINE_CAPACITY: 'This machine has no room for this size now. Try a smaller one, or later.',
  ENGINE_DISK_FULL: 'This machine’s disk is full. Please try later; your files are kept.',
  IMAGE_FILES: 'The files of the image could not be put into the lab. Choose a larger size or another image, and start again.',
  fillingHome: 'Putting the files of the image into the lab.',
  ENGINE_ERROR: 'The compute engine reported an error. Try again in a moment.',
};

export default enUS;
