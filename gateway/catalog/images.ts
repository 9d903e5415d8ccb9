import type { ImageEntry } from './entries';

/**
 * The images everybody is offered. An image is shown with the reason, not hidden, where the engine lacks one of its commands.
 * Every image needs `bash`, its terminal's shell.
 */
export const images: readonly ImageEntry[] = [
  {
    imageId: 'shell',
    framework: 'shell',
    frameworkName: { 'en-US': 'Shell', 'zh-CN': '命令行' },
    version: 'Linux',
    name: { 'en-US': 'Shell', 'zh-CN': '命令行' },
    description: {
      'en-US': 'A Linux command line with the usual text and file tools.',
      'zh-CN': '带常用文本与文件工具的 Linux 命令行。',
    },
    reference: 'docker.io/library/debian:12',
    commands: ['bash', 'sed', 'awk', 'grep'],
    isRetired: false,
  },
  {
    imageId: 'python-3',
    framework: 'python',
    frameworkName: { 'en-US': 'Python', 'zh-CN': 'Python' },
    version: '3',
    name: { 'en-US': 'Python 3', 'zh-CN': 'Python 3' },
    description: {
      'en-US': 'Python 3 with its standard library, at a command line.',
      'zh-CN': 'Python 3 及其标准库，在命令行中使用。',
    },
    reference: 'docker.io/library/python:3.13-bookworm',
    commands: ['bash', 'python3'],
    isRetired: false,
  },
  {
    imageId: 'node',
    framework: 'node',
    frameworkName: { 'en-US': 'Node.js', 'zh-CN': 'Node.js' },
    version: 'LTS',
    name: { 'en-US': 'Node.js', 'zh-CN': 'Node.js' },
    description: {
      'en-US': 'Node.js for JavaScript programs and servers, at a command line.',
      'zh-CN': '用于 JavaScript 程序与服务的 Node.js，在命令行中使用。',
    },
    reference: 'docker.io/library/node:22-bookworm',
    commands: ['bash', 'node'],
    isRetired: false,
  },
  {
    imageId: 'c-gcc',
    framework: 'c',
    frameworkName: { 'en-US': 'C and C++', 'zh-CN': 'C 与 C++' },
    version: 'GCC',
    name: { 'en-US': 'C (GCC)', 'zh-CN': 'C（GCC）' },
    description: {
      'en-US': 'The GNU C compiler with make, for programming and systems courses.',
      'zh-CN': 'GNU C 编译器与 make，适合程序设计与系统课程。',
    },
    reference: 'docker.io/library/gcc:14-bookworm',
    commands: ['bash', 'gcc', 'make'],
    isRetired: false,
  },
  {
    imageId: 'cpp-gcc',
    framework: 'c',
    frameworkName: { 'en-US': 'C and C++', 'zh-CN': 'C 与 C++' },
    version: 'GCC',
    name: { 'en-US': 'C++ (GCC)', 'zh-CN': 'C++（GCC）' },
    description: {
      'en-US': 'The GNU C++ compiler with make.',
      'zh-CN': 'GNU C++ 编译器与 make。',
    },
    reference: 'docker.io/library/gcc:14-bookworm',
    commands: ['bash', 'g++', 'make'],
    isRetired: false,
  },
  {
    imageId: 'java',
    framework: 'java',
    frameworkName: { 'en-US': 'Java', 'zh-CN': 'Java' },
    version: 'JDK',
    name: { 'en-US': 'Java (JDK)', 'zh-CN': 'Java（JDK）' },
    description: {
      'en-US': 'The Java compiler and runtime, at a command line.',
      'zh-CN': 'Java 编译器与运行环境，在命令行中使用。',
    },
    reference: 'docker.io/library/eclipse-temurin:21-jdk-noble',
    commands: ['bash', 'java', 'javac'],
    isRetired: false,
  },
  {
    imageId: 'r',
    framework: 'r',
    frameworkName: { 'en-US': 'R', 'zh-CN': 'R' },
    version: 'R',
    name: { 'en-US': 'R', 'zh-CN': 'R' },
    description: {
      'en-US': 'R for statistics, at a command line.',
      'zh-CN': '用于统计的 R，在命令行中使用。',
    },
    reference: 'docker.io/rocker/r-ver:4.5',
    commands: ['bash', 'R', 'Rscript'],
    isRetired: false,
  },
];
